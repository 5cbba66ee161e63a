import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { answered } from '../answer.js';
import { Failure, usage } from '../failure.js';
import type { PageSource } from '../inspect/source.js';
import type { PageEvent } from '../inspect/protocol.js';
import type { InspectTarget } from '../inspect/pageSession.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';
import { transportOf } from '../session/context.js';
import { modeOf } from '../session/session.js';
import { type HttpTarget, httpTarget, type Target, targetOf, timeoutOf } from '../target/target.js';
import { portOf, shopServer } from './shop.js';

/** Serves the page until Ctrl-C. */
export async function run(run: Run): Promise<CommandAnswer | undefined> {
  const port = portOf(run, 'port') ?? 0;
  const { label, open } = await (textOf(run, 'gateway') === undefined ? serverSource(run) : gatewaySource(run));
  const { servePage } = await import('../inspect/server.js');
  const page = await servePage({ open, files: new URL('../page/', import.meta.url), port }).catch(refuse);
  run.cleanup.push(() => page.close());
  if (run.out.json) run.out.line(answered(true, run.command, { address: page.address }, { target: label, issues: [] }));
  else run.out.data(page.address);
  run.out.note(`Waybill shows ${label} there. Ctrl-C ends it.`);
  if (run.options['open'] !== false) openBrowser(page.address, run);
  await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
  run.signal.throwIfAborted();
  return undefined;
}

interface Shown {
  readonly label: string;
  readonly open: (tell: (event: PageEvent) => void) => PageSource;
}

async function serverSource(run: Run): Promise<Shown> {
  const target = run.words.length === 0 && run.serverCommand === undefined ? await startShop(run) : (await targetOf(run)).target;
  const { PageSession } = await import('../inspect/pageSession.js');
  const inspected = { ...inspectTarget(target), mode: modeOf(run), timeout: timeoutOf(run) };
  return { label: target.label, open: (tell) => new PageSession(inspected, tell) };
}

/** The token comes from the environment: a command line can be read by every user of the machine. */
async function gatewaySource(run: Run): Promise<Shown> {
  if (run.words.length > 0 || run.serverCommand !== undefined) throw usage('--gateway takes the place of TARGET');
  const { url } = httpTarget(textOf(run, 'gateway') ?? '', run);
  if (url.pathname === '/') url.pathname = '/feed';
  const token = run.env['WAYBILL_TOKEN'] ?? '';
  if (token === '') throw usage('WAYBILL_TOKEN is not set', 'Set it to the token of `admin` in the configuration of the gateway.');
  run.out.secrets.add(token);
  const { GatewayFeed } = await import('../inspect/gatewayFeed.js');
  return { label: `the feed of ${url.origin}`, open: (tell) => new GatewayFeed({ url, token }, tell) };
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

function inspectTarget(target: Target): InspectTarget {
  const { label } = target;
  const address = target.kind === 'http' ? addressOf(target) : label;
  const url = target.kind === 'http' ? { url: target.url.href } : {};
  return { name: label, address, ...url, open: (fetch) => transportOf(target, fetch) };
}

/** Without credentials and query: they may be secret. */
const addressOf = ({ url }: HttpTarget): string => `${url.origin}${url.pathname}`;

function refuse(error: unknown): never {
  if ((error as { code?: string }).code === 'EADDRINUSE') throw usage('--port: the port is in use', 'Leave --port out to take a free one.');
  throw error;
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };

/** Without a browser nothing opens; the address is printed anyway. */
function openBrowser(address: string, { env }: Run): void {
  if (env['CI'] !== undefined) return;
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
