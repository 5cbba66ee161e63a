#!/usr/bin/env node
/** The reference client as a process: `node referenceClient.js [--fault NAME]… (URL | -- COMMAND …)`. */
import { referenceClient } from './client/client.js';

const words = process.argv.slice(2);
const faults: string[] = [];
while (words[0] === '--fault') faults.push(...words.splice(0, 2).slice(1));
const env = Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined));
await referenceClient(faults)({ words, env }, new AbortController().signal);
