/** Our gateway under the kit, as its command, between the kit's own client and upstream. */
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCheckCommand } from '../../packages/conformance/src/index.js';

const gateway = fileURLToPath(new URL('../../packages/gateway/dist/bin.js', import.meta.url));

async function check(...upstream: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const start = ['--', process.execPath, gateway, '--listen', '127.0.0.1:{port}', ...upstream];
  const words = ['gateway', '--json', '--strict', '--timeout', '10000', '--url', 'http://127.0.0.1:{port}/mcp', ...start];
  const code = await runCheckCommand(words, { stdout, stderr, env: {} });
  const rows: { id: string; revision: string; status: string }[] = JSON.parse(stdout.read()?.toString() ?? 'null').requirements;
  return { code, rows, left: rows.filter(({ status }) => status !== 'pass') };
}

describe.concurrent('our gateway keeps every rule that applies', () => {
  it('before an upstream over HTTP', async () => {
    const { code, rows, left } = await check('{http}');
    // It keeps no list of its own by default.
    expect(new Set(left.map(({ id, status }) => `${id} ${status}`))).toEqual(new Set(['TRACE-14 notApplicable']));
    expect(code).toBe(0);
    expect(new Set(rows.map(({ revision }) => revision)).size).toBe(2);
  });

  it('before an upstream over stdio, which has no headers', async () => {
    const { code, left } = await check('--', '{stdio}');
    expect(new Set(left.map(({ id, status }) => `${id} ${status}`))).toEqual(
      new Set(['BASE-07 notApplicable', 'LANG-53 notApplicable', 'TRACE-14 notApplicable']),
    );
    expect(code).toBe(0);
  });
});
