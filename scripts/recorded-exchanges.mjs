// @ts-check
/** 2,000 exchanges with real servers, recorded without the gateway, come out of it byte for byte. `npm test` runs a slice. */
import process from 'node:process';
import { compareRecorded } from '../test/gateway/recorded.mjs';

const { rows, different } = await compareRecorded([600, 300, 300, 300, 200, 200, 200]);
for (const { name, exchanges } of rows) console.log(`${String(exchanges).padStart(5)}  ${name}`);
const total = rows.reduce((sum, { exchanges }) => sum + exchanges, 0);
for (const one of different.slice(0, 5)) console.log(one);
console.log(`${total} exchanges, ${different.length} differ`);
process.exitCode = different.length === 0 ? 0 : 1;
