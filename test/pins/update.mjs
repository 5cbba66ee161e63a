#!/usr/bin/env node
// @ts-check
import { writeFileSync } from 'node:fs';
import { writeFormatted } from '../../scripts/shared/writeFormatted.mjs';
import { apiReport, reportedPackages, reportFile } from './api.mjs';
import { pinFile, pins } from './surface.mjs';

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(`Usage: npm run build && node test/pins/update.mjs

Writes test/pins/{${Object.keys(pins).join(',')}}.json and the API reports in test/pins/api from the built packages. Look at the difference before you commit it:
a name that goes or changes breaks somebody.`);
  process.exit(0);
}
for (const [name, take] of Object.entries(pins)) {
  await writeFormatted(pinFile(name), JSON.stringify(await take(), null, 2));
  console.log(`test/pins/${name}.json`);
}
for (const folder of reportedPackages()) {
  writeFileSync(reportFile(folder), apiReport(folder));
  console.log(`test/pins/api/${folder}.txt`);
}
