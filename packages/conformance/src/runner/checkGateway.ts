/** `check gateway`: starts a raw upstream and the gateway in front of it, and speaks to the gateway. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Failure } from '../check.js';
import { gatewayChecks } from '../checks/gateway/all.js';
import { listen, serveHttp } from '../peers/serve.js';
import { listenForReports, type Received } from '../scenarios/received.js';
import { UpstreamServer } from '../upstream/server.js';
import { ended, start, stop } from '../wire/child.js';
import { MODERN, REVISIONS, type Revision } from '../wire/keys.js';
import { type Reached, reportAll, runChecks, type RunOptions, selected } from './run.js';
import { ServerPeer } from './servers.js';

const main = fileURLToPath(new URL('../../dist/upstream/main.js', import.meta.url));
/** Programs behind a launcher such as npx may take long to start. */
const START_LIMIT = 60_000;

export async function checkGateway(url: string, command: readonly string[], options: RunOptions): Promise<Reached> {
  const received: Received[] = [];
  const keep = (one: Received) => void received.push(one);
  const byStdio = command.some((word) => word.includes('{stdio}'));
  const server = new UpstreamServer(keep);
  const upstream = byStdio ? await listenForReports(keep) : await serveHttp((...asked) => server.answer(...asked));
  const port = await freePort();
  const words = fill(command, port, upstream.url, [process.execPath, main, '--report', upstream.url]);
  const { child, stderrText } = start(words);
  child.stdout?.resume();
  let failure: string | undefined;
  child.once('error', (error) => (failure = `it did not start: ${error.message}`));
  try {
    options.onStep?.('waiting for the gateway to listen', { revision: MODERN, transport: 'http' });
    const address = new URL(url.replaceAll('{port}', port));
    const open = await listening(address, () => failure !== undefined || ended(child), options.signal);
    if (!open)
      return { revisions: [], problems: [failure ?? `nothing listens at ${address.host}: ${stderrText() || 'the command ended'}`] };
    return await checkListening(address, received, byStdio ? 'stdio' : 'http', options);
  } finally {
    await stop(child);
    await upstream.close();
  }
}

/** Every revision at a gateway that listens. */
export async function checkListening(url: URL, received: Received[], upstream: 'stdio' | 'http', options: RunOptions): Promise<Reached> {
  const checks = selected(gatewayChecks, options);
  const [revisions, problems] = [new Array<Revision>(), new Array<string>()];
  for (const revision of options.revisions ?? REVISIONS) {
    if (options.signal?.aborted === true) break;
    const [peer, other] = [new ServerPeer({ url }, revision, options), new ServerPeer({ url }, revision, options)];
    const place = { revision, transport: 'http' } as const;
    options.onStep?.('connecting', place);
    const absent = await peer.session({}).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        return error.message;
      },
    );
    if (absent === undefined) {
      revisions.push(revision);
      await runChecks(checks, { place, trial: { peer, other, received, upstream }, peers: [peer, other] }, options);
    } else {
      problems.push(`${revision}: ${absent}`);
      reportAll(checks, place, 'notApplicable', `the gateway does not speak this revision: ${absent}`, options);
    }
    await Promise.all([peer.close(), other.close()]);
  }
  return { revisions, problems };
}

/** Placeholders filled in. As the value of an option, the command of the upstream is one word; elsewhere it is many. */
export function fill(command: readonly string[], port: string, http: string, stdio: readonly string[]): string[] {
  const quoted = stdio.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
  return command.flatMap((word, index) => {
    const option = /^--?[A-Za-z]/.test(command[index - 1] ?? '');
    if (word === '{stdio}' && !option) return stdio;
    return [word.replaceAll('{port}', port).replaceAll('{http}', http).replaceAll('{stdio}', quoted)];
  });
}

async function freePort(): Promise<string> {
  const served = await listen(createServer());
  await served.close();
  return new URL(served.url).port;
}

/** Waits until somebody accepts connections, for as long as the program runs. */
async function listening(url: URL, over: () => boolean, signal: AbortSignal | undefined): Promise<boolean> {
  for (const until = Date.now() + START_LIMIT; Date.now() < until && !over() && signal?.aborted !== true;) {
    const open = await new Promise<boolean>((resolve) => {
      // A URL writes an IPv6 address in brackets, a socket does not.
      const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
