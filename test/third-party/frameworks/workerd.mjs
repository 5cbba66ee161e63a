/** Bundles the worker, runs it under workerd, and returns its address. Used as a fixture by check.mjs. */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { freePort } from './listen.mjs';

const HERE = import.meta.dirname;

/** `agents` imports this module for mail, which bare workerd does not have and an MCP server does not use. */
const noMail = {
  name: 'no-mail',
  resolveId: (id) => (id === 'cloudflare:email' ? '\0mail' : undefined),
  load: (id) => (id === '\0mail' ? 'export class EmailMessage {}' : undefined),
};

const configOf = (port) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "objects", disk = (path = "objects", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-07-28",
  compatibilityFlags = ["nodejs_compat"],
  durableObjectNamespaces = [(className = "Agent", uniqueKey = "agent", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [(name = "AGENT", durableObjectNamespace = "Agent")],
);
`;

export async function serve() {
  const bundle = await rolldown({
    input: join(HERE, 'agents.mjs'),
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import', 'default'] },
    external: [/^node:/, /^cloudflare:(?!email)/],
    plugins: [noMail],
    logLevel: 'silent',
  });
  await bundle.write({ file: join(HERE, 'worker.mjs'), format: 'esm', codeSplitting: false });
  await bundle.close();
  const port = await freePort();
  await writeFile(join(HERE, 'config.capnp'), configOf(port));
  await rm(join(HERE, 'objects'), { recursive: true, force: true });
  await mkdir(join(HERE, 'objects'));
  const binary = join(HERE, 'node_modules/@cloudflare/workerd-linux-64/bin/workerd');
  const child = spawn(binary, ['serve', 'config.capnp'], { cwd: HERE, stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL')); // on SIGTERM it would wait for open streams
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  while (child.exitCode === null) {
    if ((await fetch(url, { method: 'OPTIONS' }).catch(() => undefined)) !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`workerd ended with code ${child.exitCode}`);
}
