/** A client that writes its requests and closes the pipe, like `printf … | server`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SERVER = fileURLToPath(new URL('./fixtures/late.mjs', import.meta.url));
const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** Returns the ids that were answered, and the exit code. */
async function piped(name: string, ...args: string[]): Promise<{ answered: unknown[]; code: number | null }> {
  const child = spawn(process.execPath, [SERVER, ...args], { stdio: ['pipe', 'pipe', 'inherit'], timeout: 15_000 });
  const over = once(child, 'close') as Promise<[number | null]>;
  const messages = [INITIALIZE, { method: 'notifications/initialized' }, { id: 1, method: 'tools/call', params: { name } }];
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const lines = (await text(child.stdout)).split('\n').filter(Boolean);
  const [code] = await over;
  return { answered: lines.map((line) => (JSON.parse(line) as { id: unknown }).id), code };
}

describe.each(['v1', 'v2'])('stdin ends, SDK %s', { concurrent: true }, (sdk) => {
  test('every request that was read is answered, and the process ends by itself', async () => {
    expect(await piped('answers', sdk)).toEqual({ answered: [0, 1], code: 0 });
  });
  test('a tool that never settles does not keep the process alive', async () => {
    expect(await piped('forgets', sdk)).toEqual({ answered: [0], code: 0 });
  });
  test('a tool that never ends is aborted, and the process ends by itself', async () => {
    expect(await piped('hangs', sdk, '1')).toEqual({ answered: [0], code: 0 });
  });
});
