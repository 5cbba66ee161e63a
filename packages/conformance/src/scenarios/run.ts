/** Runs a client through one scenario and returns what arrived. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serveHttp } from '../peers/serve.js';
import { ended, start, stop } from '../wire/child.js';
import { isObject } from '../wire/json.js';
import type { Revision, Transport } from '../wire/keys.js';
import { contextOf, type Scenario } from './scenarios.js';
import { type Received, ScenarioServer } from './server.js';

export interface Log {
  readonly scenario: string;
  readonly received: readonly Received[];
  /** The end of the client, for people. */
  readonly ending: string;
  readonly hung: boolean;
}

/** The input of a client: words to append to its command, and variables. */
export interface Given {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the client and says how it ended; the signal asks it to stop. */
export type StartClient = (given: Given, signal: AbortSignal) => Promise<string>;

const program = (name: string) => fileURLToPath(new URL(`../../dist/scenarios/${name}.js`, import.meta.url));

export async function runScenario(
  startClient: StartClient,
  scenario: Scenario,
  revision: Revision,
  transport: Transport,
  limit: number,
): Promise<Log> {
  const received: Received[] = [];
  const keep = (one: Received) => void received.push(one);
  const server = new ScenarioServer(scenario.name, revision, keep);
  const served = transport === 'http' ? await serveHttp((...asked) => server.answer(...asked)) : await listenForReports(keep);
  const named = served.url.replace('127.0.0.1', scenario.host ?? '127.0.0.1');
  // Two servers that differ in nothing but the file that is started.
  const command = (file: string) => [
    '--',
    process.execPath,
    program(file),
    '--scenario',
    scenario.name,
    '--revision',
    revision,
    '--report',
    served.url,
  ];
  const words = transport === 'http' ? [named] : command('main');
  const other = transport === 'http' ? [named] : command('other');
  const env = {
    WAYBILL_SCENARIO: scenario.name,
    MCP_CONFORMANCE_SCENARIO: scenario.name,
    MCP_CONFORMANCE_CONTEXT: JSON.stringify({ ...contextOf(scenario), other }),
    MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  };
  const signal = AbortSignal.timeout(limit);
  const ending = await startClient({ words, env }, signal);
  await served.close();
  return { scenario: scenario.name, received, ending, hung: signal.aborted };
}

/** A client that is a command of its own. */
export const commandClient =
  (command: readonly string[]): StartClient =>
  async ({ words, env }, signal) => {
    const { child, stderrText } = start([...command, ...words], { ...process.env, ...env });
    const ending = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`did not start: ${error.message}`));
      child.once('exit', (code, name) => resolve(name === null ? `ended with code ${code ?? 0}` : `was ended by ${name}`));
    });
    child.stdin?.end();
    child.stdout?.resume();
    signal.addEventListener('abort', () => void stop(child), { once: true });
    const how = await ending;
    if (!ended(child)) await stop(child);
    const last = stderrText().split('\n').at(-1) ?? '';
    return signal.aborted ? 'did not end in time' : last === '' || how === 'ended with code 0' ? how : `${how}: ${last}`;
  };

export async function listenForReports(keep: (received: Received) => void): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) keep(value as unknown as Received);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
