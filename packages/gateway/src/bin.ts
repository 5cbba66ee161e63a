#!/usr/bin/env node
import process from 'node:process';
import { runGatewayCommand } from './command.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const { stdin, stdout, stderr, env } = process;
process.exitCode = await runGatewayCommand(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
// A child that was told to end may still hold a pipe; nothing else is left to do.
process.exit();
