/** The tables of docs/reference/gateway-production.md name what there is: every metric and label, every member of the feed and of log lines. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ConfigText, createGateway, type ExchangeRecord, type Gateway } from '@waybill/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from 'waybill';
import { parseAllDocuments } from 'yaml';
import { openLog } from '../../packages/gateway/dist/operations/writer.js';
import { startGateway } from './through.js';
import { eventually } from '../support/eventually.js';

const place = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const GUIDE = place('docs/reference/gateway-production.md');

/** The first two columns of the table under this heading, without code marks. */
function table(heading: string): (readonly [string, string])[] {
  const lines = GUIDE.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  expect(start, heading).toBeGreaterThan(0);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const [, first = '', second = ''] = line.split('|').map((cell) => cell.replaceAll('`', '').trim());
    return [first, second] as const;
  });
}
const names = (heading: string): string[] => table(heading).flatMap(([first]) => first.split(', '));

const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }));
}).on('close', () => process.exit());`;
/** Answers the call that waits. */
let release: () => void = () => undefined;
const upstream = createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk) => (text += String(chunk)))
    .on('end', () => {
      const { id, params } = JSON.parse(text) as { id: number; params: { name?: string } };
      if (params.name === 'waits') return void (release = () => response.writeHead(200).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`));
      const result = { resultType: 'complete', tools: [], isError: params.name === 'fails', ttlMs: 60_000, cacheScope: 'public' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
});
let gateway: Awaited<ReturnType<typeof startGateway>>;
const logged = new PassThrough();
const records: ExchangeRecord[] = [];
let call: (path: string, method: string, name?: string) => Promise<void>;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  const log = await openLog('json', logged);
  gateway = await startGateway(
    {
      feed: 'bodies',
      admin: { listen: '127.0.0.1:0', token: 't' },
      identity: { single: 'alice' },
      upstreams: {
        web: { url, revision: '2026-07-28', policy: { trace: 'never' }, cache: { lists: '1m' } },
        echo: { command: [process.execPath, '-e', ECHO], revision: '2026-07-28' },
        child: { command: [process.execPath, '-e', 'console.error("hello")'], revision: '2026-07-28' },
      },
    },
    { log: (_, entry) => log(entry), onExchange: (record) => records.push(record) },
  );
  call = async (path: string, method: string, name?: string): Promise<void> => {
    const meta = {
      [keys.PROTOCOL_VERSION]: '2026-07-28',
      [keys.CLIENT_CAPABILITIES]: {},
      [keys.TRACEPARENT]: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    const response = await fetch(`${gateway.base}/${path}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...(name && { name }), _meta: meta } }),
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name && { 'mcp-name': name }),
      },
    });
    await response.text();
  };
  for (const name of ['fine', 'fails']) await call('web', 'tools/call', name);
  for (let at = 0; at < 2; at++) await call('web', 'tools/list');
  for (const path of ['child', 'echo']) await call(path, 'tools/call', 'a');
});
afterAll(async () => {
  await gateway.close();
  upstream.closeAllConnections();
  upstream.close();
});

test('metrics', async () => {
  const read = async (): Promise<string> => (await fetch(`${gateway.admin}/metrics`, { headers: { authorization: 'Bearer t' } })).text();
  const waiting = call('web', 'tools/call', 'waits');
  await eventually(async () => expect(await read()).toContain('waybill_gateway_in_flight{upstream="web",method="tools/call"} 1'));
  const text = await read();
  release();
  await waiting;
  expect(await read()).not.toContain('waybill_gateway_in_flight{');
  expect(text).toContain('waybill_gateway_children{upstream="echo"} 1');
  expect(text).toContain('waybill_gateway_child_starts{upstream="echo"} 1');
  const found = new Map<string, Set<string>>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (waybill_\w+)/gm)) found.set(name, new Set());
  for (const [, name = '', labels = ''] of text.matchAll(/^(waybill_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) if (label !== 'le') found.get(name)?.add(label);
  const documented = new Map(table('metric').map(([name, labels]) => [name, labels.split(' ').sort()]));
  expect([...found.keys()].sort()).toEqual([...documented.keys()].sort());
  for (const [name, labels] of found) expect([name, ...[...labels].sort()]).toEqual([name, ...(documented.get(name) ?? [])]);
});

test('members of the feed', () => {
  const all = new Set(records.flatMap((record) => Object.keys(record)));
  all.delete('principal');
  expect([...all].sort()).toEqual(names('member').sort());
});

test('members of log lines', () => {
  const lines = String(logged.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { audit?: object });
  expect([...new Set(lines.flatMap((line) => Object.keys(line)))].sort()).toEqual(names('member of an event').sort());
  expect([...new Set(lines.flatMap(({ audit = {} }) => Object.keys(audit)))].sort()).toEqual(names('member of `audit`').sort());
  expect(lines.map(({ audit }) => audit).find((audit) => audit !== undefined)).toMatchObject({
    who: 'alice',
    upstream: 'web',
    name: 'fine',
    withheld: ['trace'],
  });
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: { readonly replicas?: number; readonly template?: { readonly spec: { readonly terminationGracePeriodSeconds?: number } } };
}
const manifests = (): Manifest[] =>
  parseAllDocuments(place('packages/gateway/deploy/kubernetes.yaml')).map((document) => document.toJS() as Manifest);

function kubernetesGateway(): Promise<Gateway> {
  const env = { HOSTNAME: 'gw-0', WAYBILL_ADMIN: 'a', CRM_TOKEN: 'c' };
  const text = (manifests()[0]?.data?.['gateway.yaml'] ?? '').replace('redis://redis:6379', 'memory');
  return createGateway(new ConfigText(text, { env }));
}

test('the configuration in kubernetes.yaml is right', async () => {
  const made = await kubernetesGateway();
  expect(made.upstreams.map(({ name }) => name)).toEqual(['crm']);
  expect(made.config).toMatchObject({ replica: 'gw-0', host: '0.0.0.0' });
  await made.close();
});

test('the container file installs every package that production may need, in the versions that the tests use', () => {
  const manifest = JSON.parse(place('packages/gateway/package.json')) as {
    version: string;
    bin: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const file = place('packages/gateway/deploy/Dockerfile');
  const { peerDependencies, version, bin } = manifest;
  // Node 22 of the image has a SQLite of its own.
  const { libsql: _, ...needed } = peerDependencies;
  const installed = Object.fromEntries([...file.matchAll(/ ((?:@[\w-]+\/)?[\w-]+)@(\d[\w.]*)/g)].map(([, name, at]) => [name, at]));
  const tested = Object.keys(needed).map((name) => [
    name,
    (JSON.parse(place(`node_modules/${name}/package.json`)) as { version: string }).version,
  ]);
  expect(installed).toEqual(Object.fromEntries(tested));
  expect(file).toContain(`ARG VERSION=${version}\n`);
  expect(file).toContain('@waybill/gateway@${VERSION}');
  expect(/ENTRYPOINT \["tini", "--", "([^"]+)"/.exec(file)?.[1]).toBe(Object.keys(bin)[0]);
});

test('kubernetes.yaml has a Service for each replica that nginx.conf names, and time to finish what runs', async () => {
  const documents = manifests();
  const gateway = documents.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'gw');
  const replicas = Array.from({ length: gateway?.spec.replicas ?? 0 }, (_, at) => `gw-${at}`);
  const named = new Set([...place('packages/gateway/deploy/nginx.conf').matchAll(/server (gw-\d):7780/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual(replicas);
  const services = documents.filter(({ kind }) => kind === 'Service');
  for (const name of replicas)
    expect(services.find(({ metadata }) => metadata.name === name)?.spec).toEqual({
      selector: { 'statefulset.kubernetes.io/pod-name': name },
      ports: [{ port: 7780 }],
    });
  const made = await kubernetesGateway();
  // Five seconds of preStop, six for child processes, two for the last spans.
  const needed = 5 + made.config.limits.time / 1000 + 6 + 2;
  expect(gateway?.spec.template?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
  await made.close();
});
