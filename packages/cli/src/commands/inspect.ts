import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Failure, usage } from '../failure.js';
import type { PageOptions } from '../inspect/server.js';
import { type Outcome, type Run, textOf } from '../run.js';
import { transportOf } from '../session/context.js';
import { modeOf } from '../session/session.js';
import { type HttpTarget, type Target, targetOf, timeoutOf } from '../target/target.js';
import { shopServer } from './shop.js';

/** Serves the page until Ctrl-C. */
export async function run(run: Run): Promise<Outcome | undefined> {
  const target = run.words.length === 0 && run.typed === undefined ? await startShop(run) : (await targetOf(run)).target;
  const { servePage } = await import('../inspect/server.js');
  const page = await servePage({
    target: { ...inspectTarget(target), mode: modeOf(run), timeout: timeoutOf(run) },
    files: new URL('../page/', import.meta.url),
    ...portOf(run),
  }).catch(refuse);
  run.cleanup.push(() => page.close());
  if (run.out.json) run.out.line({ address: page.address });
  else run.out.data(page.address);
  run.out.note(`Waybill shows ${target.label} there. Ctrl-C ends it.`);
  if (run.options['open'] !== false) openBrowser(page.address, run);
  await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
  run.signal.throwIfAborted();
  return undefined;
}

/** Over HTTP, so that the page can show headers as well. */
async function startShop(run: Run): Promise<Target> {
  const child = spawn(process.execPath, [shopServer(), '--http', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  run.cleanup.push(() => void child.kill('SIGTERM'));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => reject(new Failure('unreachable', 'the example server ended')));
  });
  return { kind: 'http', label: 'the example shop', url: new URL(url), headers: {} };
}

function inspectTarget(target: Target): PageOptions['target'] {
  const { label } = target;
  const address = target.kind === 'http' ? addressOf(target) : label;
  const url = target.kind === 'http' ? { url: target.url.href } : {};
  return { name: label, address, ...url, open: (fetch) => transportOf(target, fetch) };
}

/** Without credentials and query: they may be secret. */
const addressOf = ({ url }: HttpTarget): string => `${url.origin}${url.pathname}`;

function portOf(run: Run): { port?: number } {
  const text = textOf(run, 'port');
  if (text === undefined) return {};
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw usage(`--port: expected a number from 0 to 65535, not ${text}`);
  return { port };
}

function refuse(error: unknown): never {
  if ((error as { code?: string }).code === 'EADDRINUSE') throw usage('--port: the port is in use', 'Leave --port out to take a free one.');
  throw error;
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };

/** Nothing happens where there is no browser: the address is printed. */
function openBrowser(address: string, { env }: Run): void {
  if (env['CI'] !== undefined) return;
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
