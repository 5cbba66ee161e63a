/** The reproductions of docs/upstream show faults of the SDKs that this layer works around. When one fails here, the SDK has mended it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it.each([
  ['cache-language.mjs', 'asked for de: Search'],
  ['stdio-sibling.mjs', 'SDK v2: ping without the member: an answer; with "clientContext" beside params: no answer'],
])('%s still shows the fault', (name, shown) => {
  const file = fileURLToPath(new URL(`../../docs/upstream/reproductions/${name}`, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 15_000 });
  expect([status, stdout]).toEqual([1, expect.stringContaining(shown)]);
});
