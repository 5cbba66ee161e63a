#!/usr/bin/env node
import { runCheckCommand } from './command/command.js';

process.exitCode = await runCheckCommand(process.argv.slice(2));
