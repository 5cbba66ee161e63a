/** The nginx.conf of the deploy folder, run by nginx in front of three replicas: a session goes to the replica that began it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../journeys/fixtures/serve.mjs';
import { startGateway } from './through.js';
import { freePort } from '../support/freePort.mjs';
import { eventually } from '../support/eventually.js';

const CONF = fileURLToPath(new URL('../../packages/gateway/deploy/nginx.conf', import.meta.url));
const has = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;
const canRun = process.env['WAYBILL_NO_SKIP'] === '1' || (has('nginx', '-v') && has('openssl', 'version'));
if (!canRun) console.warn('nginx or openssl is not installed: the nginx example is not run');

describe.skipIf(!canRun)('nginx', () => {
  const KEY = 'one key for all replicas, long enough';
  let folder: string;
  let port: number;
  let nginx: ChildProcess;
  let modern: Awaited<ReturnType<typeof serveHttp>>;
  let legacy: Awaited<ReturnType<typeof serveHttp>>;
  let replicas: Awaited<ReturnType<typeof startGateway>>[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waybill-nginx-'));
    [modern, legacy] = await Promise.all([serveHttp('v2'), serveHttp('v1')]);
    replicas = await Promise.all(
      ['gw-0', 'gw-1', 'gw-2'].map((replica) =>
        startGateway({
          ...{ replica, key: KEY, hosts: ['gw.corp.example'], identity: { single: true } },
          upstreams: {
            modern: { url: modern.url.href, revision: '2026-07-28' },
            legacy: { url: legacy.url.href, revision: '2025-11-25' },
          },
        }),
      ),
    );
    port = await freePort();
    const [crt, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    const subject = ['-subj', '/CN=gw.corp.example', '-addext', 'subjectAltName=DNS:gw.corp.example'];
    spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', crt, ...subject]);
    const conf = readFileSync(CONF, 'utf8')
      .replaceAll(/gw-(\d):7780/g, (_, at: string) => new URL(replicas[Number(at)]!.base).host)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('/etc/nginx/tls/', `${folder}/`)
      .replace(
        'http {',
        `http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')}`,
      );
    writeFileSync(join(folder, 'nginx.conf'), conf);
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', `daemon off; pid ${folder}/nginx.pid;`];
    nginx = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    await eventually(async () => expect((await ask('GET', '/healthz')).status).toBe(200));
  });
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await Promise.all([...replicas, modern, legacy].map((one) => one.close()));
    rmSync(folder, { recursive: true });
  });

  interface Answer {
    readonly status: number;
    readonly text: string;
    readonly session: string;
  }
  function ask(method: string, path: string, body?: object, session?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...{ host: 'gw.corp.example', accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      };
      const ca = readFileSync(join(folder, 'tls.crt'));
      request({ port, host: '127.0.0.1', servername: 'gw.corp.example', ca, method, path, headers }, (response) => {
        let text = '';
        const id = response.headers['mcp-session-id'];
        response
          .on('data', (chunk) => (text += String(chunk)))
          .on('end', () => resolve({ status: response.statusCode ?? 0, text, session: typeof id === 'string' ? id : '' }));
      })
        .on('error', reject)
        .end(body && JSON.stringify({ jsonrpc: '2.0', ...body }));
    });
  }
  const initialize = (path: string): Promise<Answer> =>
    ask('POST', path, {
      ...{ id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    });
  const list = (path: string, session: string): Promise<Answer> => ask('POST', path, { id: 2, method: 'tools/list' }, session);

  test.each(['/modern/mcp', '/legacy/mcp'])('%s: each session is served by the replica that began it', async (path) => {
    const begun = await Promise.all(Array.from({ length: 10 }, () => initialize(path)));
    const owners = new Set(begun.map(({ session }) => session.split('.')[0]));
    expect([...owners].sort()).toEqual(['gw-0', 'gw-1', 'gw-2']);
    for (let round = 0; round < 3; round++)
      for (const { session } of begun) {
        const { status, text } = await list(path, session);
        expect([status, text.includes('"tools"')]).toEqual([200, true]);
      }
  });

  test('the replica of a session is gone: another one serves sessions of 2025 servers, and says 404 for the others', async () => {
    const [ofModern, ofLegacy] = [await initialize('/modern/mcp'), await initialize('/legacy/mcp')];
    const gone = new Set([ofModern, ofLegacy].map(({ session }) => Number(session.split('.')[0]!.at(-1))));
    for (const at of gone) await replicas[at]!.close();
    expect((await list('/legacy/mcp', ofLegacy.session)).status).toBe(200);
    expect((await list('/modern/mcp', ofModern.session)).status).toBe(404);
    const again = await initialize('/modern/mcp');
    expect((await list('/modern/mcp', again.session)).status).toBe(200);
  });
});
