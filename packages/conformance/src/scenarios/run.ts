/** Runs a client through one scenario and returns what arrived. */
import { fileURLToPath } from 'node:url';
import type { Place } from '../check.js';
import { serveHttp } from '../peers/serve.js';
import { start, stop } from '../wire/child.js';
import { listenForReports, type Received } from './received.js';
import { LANGUAGE, type Scenario } from './scenarios.js';
import { ScenarioServer } from './server.js';

export interface Log {
  readonly received: readonly Received[];
  /** The end of the client, for people. */
  readonly ending: string;
  readonly hung: boolean;
}

/** The input of a client: words to append to its command, and variables. */
export interface ClientInput {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the client and says how it ended; the signal asks it to stop. */
export type StartClient = (input: ClientInput, signal: AbortSignal) => Promise<string>;

export async function runScenario(
  startClient: StartClient,
  scenario: Scenario,
  { revision, transport }: Place,
  limit: number,
): Promise<Log> {
  const received: Received[] = [];
  const keep = (one: Received) => void received.push(one);
  const server = new ScenarioServer(scenario.name, revision, keep);
  const served = transport === 'http' ? await serveHttp((...asked) => server.answer(...asked)) : await listenForReports(keep);
  const named = served.url.replace('127.0.0.1', scenario.host ?? '127.0.0.1');
  // Two servers that differ in nothing but the file that is started.
  const launch = (file: string) => {
    const program = fileURLToPath(new URL(`../../dist/scenarios/${file}.js`, import.meta.url));
    return ['--', process.execPath, program, '--scenario', scenario.name, '--revision', revision, '--report', served.url];
  };
  const [words, other] = transport === 'http' ? [[named], [named]] : [launch('main'), launch('other')];
  const env = {
    WAYBILL_SCENARIO: scenario.name,
    MCP_CONFORMANCE_SCENARIO: scenario.name,
    MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: scenario.name, language: LANGUAGE, steps: scenario.steps, other }),
    MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  };
  const signal = AbortSignal.timeout(limit);
  const ending = await startClient({ words, env }, signal);
  await served.close();
  return { received, ending, hung: signal.aborted };
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
    // The client may have left processes of its own behind.
    await stop(child);
    const last = stderrText().split('\n').at(-1) ?? '';
    return signal.aborted ? 'did not end in time' : last === '' || how === 'ended with code 0' ? how : `${how}: ${last}`;
  };
