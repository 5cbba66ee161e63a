/** doctor against the shop, and against servers that break. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveShop, type Served } from '../state/servers.js';
import { makeFolder, waybill } from './waybill.js';

const home = makeFolder();
const run = waybill(home.path);
const broken = (how: string): string[] => ['--', process.execPath, fileURLToPath(new URL('brokenServer.mjs', import.meta.url)), how];
const verdicts = ({ json }: Awaited<ReturnType<typeof run>>): Record<string, string> =>
  Object.fromEntries(json.result.findings.map(({ concern, verdict }: any) => [concern, verdict]));
let shop: Served;
beforeAll(async () => {
  shop = await serveShop();
});
afterAll(async () => {
  await shop.kill();
  home.remove();
});

it.concurrent('tells what a server does with each concern, and which tools work in which host', async () => {
  const ran = await run(['doctor', shop.url.href, '--json']);
  expect([ran.code, Object.values(verdicts(ran))]).toEqual([0, Array(5).fill('understands')]);
  const { hosts, unknownMethod } = ran.json.result;
  expect(hosts.find(({ host }: any) => host === 'Claude Desktop').missing).toContain('book');
  for (const { source, asOf } of hosts)
    expect([source, asOf]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^2\d{3}-\d\d$/)]);
  // Over HTTP this refusal comes with the status 404.
  expect(unknownMethod).toBe('refuses an unknown method, as it has to');
});

it.concurrent(
  'asks under the capabilities of each host where a server lists only what the client can use',
  { timeout: 60_000 },
  async () => {
    const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
    const { json } = await run(['doctor', '--json', '--', process.execPath, everything]);
    const missing = Object.fromEntries(json.result.hosts.map((one: any) => [one.host, one.missing]));
    expect(missing['Claude Desktop']).toEqual(expect.arrayContaining(['trigger-elicitation-request', 'trigger-sampling-request']));
    expect(missing['Claude Code']).toEqual(['trigger-sampling-request']);
    expect(missing['VS Code']).toEqual([]);
  },
);

it.concurrent.for([
  ['ends', 'breaks', 'refuses an unknown method'],
  ['refuses', 'refuses', 'refuses an unknown method'],
  ['renames', 'breaks', 'answers an unknown method with a result'],
] as const)('a server that %s when a request has a language %s it, and no other concern', async ([how, verdict, unknown]) => {
  const ran = await run(['doctor', '--json', ...broken(how)]);
  expect([ran.code, ran.json.ok]).toEqual([1, false]);
  expect(verdicts(ran)).toEqual({ language: verdict, environment: 'unknown', state: 'ignores', trace: 'unknown', capabilities: 'ignores' });
  expect(ran.json.result.unknownMethod).toContain(unknown);
});

it.concurrent('--call tells a tool that fails in any case from one that context breaks', async () => {
  const ran = await run(['doctor', shop.url.href, '--call', 'fail', 'kind=tool', '--json']);
  expect([ran.code, ran.json.result.findings[1].saw]).toEqual([0, expect.stringContaining('fail fails with and without context')]);
  const called = await run(['doctor', shop.url.href, '--call', 'today', '--json']);
  expect(called.json.result.findings[1].saw).toContain('today answers: Heute');
});
