import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

/** Bundles a built entry as a browser would load it, and returns its size in bytes, minified and gzipped. */
async function bundleSize(entry: string): Promise<number> {
  const input = fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url));
  const built = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  const { output } = await built.generate({ format: 'esm', minify: true });
  await built.close();
  return gzipSync(output[0].code).length;
}

it.each([
  ['index', 85],
  ['only/en', 45],
])('the bundle of %s has at most %i KB gzipped', async (entry, kilobytes) => {
  expect(await bundleSize(entry)).toBeLessThanOrEqual(kilobytes * 1000);
});
