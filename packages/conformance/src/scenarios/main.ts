#!/usr/bin/env node
/** The scenario server on stdin, for clients that start it. What it receives goes to the kit, which waits at --report. */
import { serveScenario } from './stdin.js';

await serveScenario('first');
