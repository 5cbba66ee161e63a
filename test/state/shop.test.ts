import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { serveShop } from './servers.js';

const CLIENT = fileURLToPath(new URL('../../examples/shop/client.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waybill-shop-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the steps through the shop client; `kill`: ends it after the last answer, without a chance to clean up. */
async function play(args: string[], steps: object[], kill = false): Promise<any[]> {
  const child = spawn(process.execPath, [CLIENT, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: any[] = [];
  let rest = '';
  child.stdout.on('data', (data: Buffer) => {
    const lines = (rest + String(data)).split('\n');
    rest = lines.pop()!;
    answers.push(...lines.map((line) => JSON.parse(line) as unknown));
    if (kill && answers.length === steps.length) child.kill('SIGKILL');
  });
  for (const step of steps) child.stdin.write(`${JSON.stringify(step)}\n`);
  if (!kill) child.stdin.end();
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(kill ? null : 0);
  expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
  return answers;
}
const call = (name: string, args: object = {}) => ({ op: 'call', name, args });

it('the shop client saves state in its file before it prints the answer, for the next process', async () => {
  const server = await serveShop();
  const jar = join(folder, 'jar.db');
  const at = ['--url', server.url.href, '--allow-host', '127.0.0.1', '--jar', jar];
  const [, begun] = await play(
    [...at, '--principal', 'ann'],
    [
      call('set_state', { scope: 'server', name: 'kept', value: { n: 1 } }),
      { op: 'conversation' },
      call('add_to_cart', { item: 'tea' }),
      { op: 'parallel', calls: [call('add_to_cart', { item: 'milk' }), call('add_to_cart', { item: 'sugar' })] },
      call('sealed_counter'),
    ],
    true,
  );
  const { id } = begun.result;
  const second = await play(
    [...at, '--principal', 'ann'],
    [
      { op: 'jar', do: 'list' },
      call('context'),
      { op: 'conversation', do: 'resume', id },
      call('add_to_cart', { item: 'bread' }),
      call('sealed_counter'),
    ],
  );
  expect(second[0].result).toMatchObject([{ server: server.url.origin, items: 3 }]);
  expect(second[1].result.structuredContent.state).toMatchObject({ session: {}, server: { kept: { n: 1 } } });
  expect(new Set(second[3].result.structuredContent.items)).toEqual(new Set(['tea', 'milk', 'sugar', 'bread']));
  expect(second[4].result.structuredContent).toEqual({ value: 2 });
  const third = await play(
    [...at, '--principal', 'ann'],
    [{ op: 'conversation', do: 'resume', id }, { op: 'conversation', do: 'end' }, { op: 'jar', do: 'clear' }, { op: 'jar' }],
  );
  expect(third.map(({ result }) => result)).toMatchObject([{ id }, { id: null }, { cleared: 1 }, { drawers: [] }]);
  await server.kill();
});
