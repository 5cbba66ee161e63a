#!/usr/bin/env node
// npm start: builds, then opens the front door: `waybill try`, with whatever words follow (`npm start -- cart`).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
console.error('Building Waybill; the first time this takes a minute …\n');
const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
if (built.status !== 0) {
  console.error('The build failed, so there is nothing to show. npm run check tells more.');
  process.exit(1);
}
const shown = spawnSync(process.execPath, ['packages/cli/bin/waybill.js', 'try', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(shown.status ?? 130);
