#!/usr/bin/env node
import process from 'node:process';
import { runGatewayCommand } from './command.js';

const stop = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => {
    // A second signal, of either kind, does not wait for open requests.
    if (stop.signal.aborted) process.exit(code);
    stop.abort();
  });
const { stdin, stdout, stderr, env } = process;
process.exitCode = await runGatewayCommand(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
// A child that was told to end may still hold a pipe; nothing else is left to do.
process.exit();
