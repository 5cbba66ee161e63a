/** Runs the self-check and prints its checks as one line of JSON: the program for Node, Bun and Deno. */
import { selfCheck } from './selfcheck.mjs';

console.log(JSON.stringify(await selfCheck()));
