import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const MAX_BYTES = 32_000;

/** Bundles the built client entry as a browser would load it. rolldown comes with vite. */
async function bundle(): Promise<{ code: string; modules: readonly string[] }> {
  const input = fileURLToPath(new URL('../../dist/client/index.js', import.meta.url));
  const built = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  const { output } = await built.generate({ format: 'esm', minify: true });
  await built.close();
  return { code: output[0].code, modules: Object.keys(output[0].modules) };
}

it('a bundle of the client has no jar, no Node module, and at most 32 KB gzipped', async () => {
  const { code, modules } = await bundle();
  expect(modules.filter((id) => id.includes('/client/jar/'))).toEqual([]);
  expect(code).not.toContain('node:fs');
  expect(gzipSync(code).length).toBeLessThanOrEqual(MAX_BYTES);
});
