import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigText, readConfig } from './load.js';
import { printConfig } from './print.js';

const COMPLETE = readFileSync(new URL('./fixtures/complete.yaml', import.meta.url), 'utf8');
const env = { WAYBILL_ADMIN: 'admin-secret', TZDB_KEY: 'tz-secret', CRM_TOKEN: 'crm-secret', API_KEY: 'arg-secret' };

function printed(text: string): string {
  const read = readConfig(new ConfigText(text, { file: 'gateway.yaml', env }));
  return printConfig({ ...read, store: read.config.store });
}

test('the effective configuration has the defaults in it, no secret, and is a configuration again', () => {
  const text = printed(COMPLETE);
  expect(text).not.toMatch(/admin-secret|tz-secret|crm-secret/);
  const again = parse(text);
  expect(again).toMatchObject({
    admin: { listen: '127.0.0.1:7781', token: '***' },
    feed: 'names',
    limits: { body: '4MB', depth: 128, time: '60s', rate: '50/s', concurrent: 64 },
    upstreams: {
      time: { env: { TZDB_KEY: '***' }, trace: { mode: 'join', spans: true }, policy: { location: 'country' } },
      crm: { credentials: { Authorization: '***' }, policy: { location: 'city', baggage: ['tenant.id'] } },
    },
  });
  expect(() => readConfig(new ConfigText(text))).not.toThrow();
});

test('secrets in arguments, addresses and the store are masked too', () => {
  const text = printed(
    'store: "redis://user:p4ss@h:6379"\nupstreams:\n  a: { command: [s, "--key=${API_KEY}"] }\n  b: { url: "https://h.example/mcp?key=k3y" }',
  );
  expect(text).not.toMatch(/p4ss|arg-secret|k3y/);
  expect(text).toContain('--key=${API_KEY}');
});

test('an mcpServers file becomes YAML to begin with: no secret is copied, and the variables are named', () => {
  const host = {
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'server', '${DIR:-/tmp}'], env: { KEY: 's3cret', HOME_DIR: '${HOME}' } },
      web: { type: 'http', url: 'https://h.example/mcp', headers: { 'X-Key': 's3cret' } },
    },
  };
  const read = readConfig(new ConfigText(JSON.stringify(host), { file: '.mcp.json', env: { HOME: '/root' } }));
  const text = printConfig({ ...read, store: read.config.store });
  expect(text).not.toContain('s3cret');
  expect(text).toContain('# Set these variables; their values stand in .mcp.json: KEY, WEB_X_KEY');
  expect(parse(text).upstreams).toEqual({
    files: { command: ['npx', '-y', 'server', '${DIR:-/tmp}'], env: { KEY: '${KEY}', HOME_DIR: '${HOME}' } },
    web: { url: 'https://h.example/mcp', credentials: { 'X-Key': '${WEB_X_KEY}' } },
  });
  const started = readConfig(new ConfigText(text, { env: { KEY: 'k', WEB_X_KEY: 'w', HOME: '/' } }));
  expect(started.config.upstreams.map(({ name }) => name)).toEqual(['files', 'web']);
});
