/** Our client under the kit: both SDKs, both transports, both revisions. */
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCheckCommand } from '../../packages/conformance/src/index.js';

const client = fileURLToPath(new URL('./fixtures/client.mjs', import.meta.url));

async function check(words: string[], flags: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const command = ['client', '--json', '--strict', '--timeout', '10000', ...words, '--', process.execPath, client, ...flags];
  const code = await runCheckCommand(command, { stdout, stderr, env: {} });
  const report = JSON.parse(stdout.read()?.toString() ?? 'null');
  const left = report.requirements.filter(({ status, observed }: any) => status !== 'pass' && !observed.includes('does not speak'));
  return { code, left, report };
}

describe('our client keeps every rule that applies', () => {
  it('with SDK v2, everywhere', { timeout: 60_000 }, async () => {
    const { code, left, report } = await check(['--expect', 'language,environment,state,trace'], ['--sdk', 'v2']);
    expect(left).toEqual([]);
    expect(code).toBe(0);
    expect(new Set(report.requirements.map(({ revision, transport }: any) => `${revision} ${transport}`)).size).toBe(4);
  });

  it('with SDK v1, in the revision it speaks', { timeout: 60_000 }, async () => {
    const { code, left } = await check(['--requirement', 'LANG-01,LANG-40,CTX-13,STATE-08,STATE-32,TRACE-02'], ['--sdk', 'v1']);
    expect(left).toEqual([]);
    expect(code).toBe(0);
  });

  it('with the seed wire the environment stands beside params', { timeout: 60_000 }, async () => {
    const { code, left } = await check(['--wire', 'seed', '--requirement', 'CTX-20'], ['--wire', 'seed']);
    expect(left).toEqual([]);
    expect(code).toBe(0);
  });
});
