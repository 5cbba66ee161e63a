#!/usr/bin/env node
/** Another server for the same client: nothing but this file tells the two apart. */
import { serveScenario } from './stdin.js';

await serveScenario('other');
