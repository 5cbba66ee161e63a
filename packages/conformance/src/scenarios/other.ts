#!/usr/bin/env node
/** Another server for the same client: only the name of this file tells the two apart. */
import './main.js';
