/** A package that only some settings need is missing: the command says which, before it serves anybody. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BIN } from './through.js';

const OTLP = ['@opentelemetry/api', '@opentelemetry/sdk-trace-base', '@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/resources'];
const HOOK = `export async function resolve(name, context, next) {
  if (${JSON.stringify(['jose', 'prom-client', 'pino', 'ioredis', 'libsql', 'node:sqlite', ...OTLP])}.includes(name))
    throw Object.assign(new Error('no package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const HIDE = asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(HOOK))});`);
const folder = mkdtempSync(join(tmpdir(), 'waybill-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['identity: { jwt: { issuer: "https://i.example", audience: "https://g.example" } }', 'identity.jwt', 'jose'],
  ['admin: { listen: "127.0.0.1:0", token: t }', 'admin (/metrics)', 'prom-client'],
  ['log: { format: json }', 'log: { format: json }', 'pino'],
  ['store: redis://127.0.0.1:1', 'store', 'ioredis'],
  ['identity: { single: true }\ndefaults: { state: { mode: keep } }', 'store (SQLite, before Node 22.13)', 'libsql'],
  ['otlp: http://127.0.0.1:1', 'otlp', OTLP.join(' ')],
])('%s', async (setting, use, packages) => {
  const file = join(folder, `${packages.slice(0, 5)}.yaml`);
  writeFileSync(file, `listen: 127.0.0.1:0\n${setting}\nupstreams: { crm: { url: "https://crm.example.com/mcp" } }\n`);
  const run = async (...more: string[]): Promise<[number | null, string]> => {
    const child = spawn(process.execPath, ['--import', HIDE, BIN, '--config', file, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    return [await new Promise((resolve) => child.once('close', resolve)), text];
  };
  const names = packages.split(' ');
  const expected = `${use} needs the package${names.length > 1 ? 's' : ''} ${names.join(', ')}: npm install ${packages}\n`;
  expect(await Promise.all([run(), run('--check-config')])).toEqual([
    [2, expected],
    [2, expected],
  ]);
});
