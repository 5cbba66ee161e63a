/** The tools of every check of a client: the logs of scenarios, run when a check first needs them. */
import { type Check, expect, NotApplicable } from '../../check.js';
import type { Log } from '../../scenarios/run.js';
import type { Received } from '../../scenarios/received.js';
import type { Exchange } from '../../wire/exchange.js';
import { newExchange } from '../../wire/exchange.js';
import { at, isObject, type Message, type Path } from '../../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CONTEXT, STATE_KEYS } from '../../wire/keys.js';

export interface ClientTrial {
  readonly log: (scenario: string) => Promise<Log>;
  /** Concerns that this client was seen to take part in, anywhere. */
  readonly seen: ReadonlySet<string>;
}

export type ClientCheck = Check<ClientTrial>;

export const metaOf = ({ message }: Received, ...path: Path): unknown => at(message, 'params', '_meta', ...path);
const isRequest = ({ message }: Received): boolean => message['method'] !== undefined && message['id'] !== undefined;

/** The requests of a scenario. */
export const requests = async (trial: ClientTrial, scenario: string): Promise<Received[]> =>
  (await trial.log(scenario)).received.filter(isRequest);

/** Calls of one tool. A client that skipped a step fails the check that needs it. */
export async function calls(trial: ClientTrial, scenario: string, name: string, atLeast = 1): Promise<Received[]> {
  const log = await trial.log(scenario);
  const found = log.received.filter((one) => one.message['method'] === 'tools/call' && at(one.message, 'params', 'name') === name);
  expect(
    found.length >= atLeast,
    `scenario ${scenario}: ${name} was called ${found.length} times instead of ${atLeast}; the client ${log.ending}`,
  );
  return found;
}

/** The call of a tool, and whether the client took it for a failure: then it calls check_failed next. */
export async function failedCall(trial: ClientTrial, scenario: string, name: string): Promise<{ one: Received; failed: boolean }> {
  await calls(trial, scenario, name);
  const all = (await requests(trial, scenario)).filter(({ message }) => message['method'] === 'tools/call');
  const index = all.findIndex((one) => at(one.message, 'params', 'name') === name);
  const one = all[index];
  expect(one !== undefined, `scenario ${scenario}: ${name} was not called`);
  return { one, failed: at(all[index + 1]?.message, 'params', 'name') === 'check_failed' };
}

/** A received message as an exchange for the report. */
export const shown = ({ message, headers }: Received): Exchange =>
  newExchange(
    message,
    Object.entries(headers).flatMap(([name, lines]) => lines.map((line) => [name, line] as const)),
  );

export function expectSent(ok: boolean, observed: string, received: Received, ...path: Path): asserts ok {
  expect(ok, observed, shown(received), ['sent', ...path]);
}

/** The client context of a call, in either place. */
function contextIn({ message }: Received): Message | undefined {
  return [at(message, 'params', '_meta', CLIENT_CONTEXT), message['clientContext']].find(isObject);
}

export function stateSent(received: Received, scope: 'session' | 'server'): unknown {
  return STATE_KEYS[scope].map((key) => metaOf(received, key)).find((value) => value !== undefined);
}

/** The sign by which a client shows that it takes part. */
export const TAKES_PART: Readonly<Record<string, (received: Received) => boolean>> = {
  language: (one) => metaOf(one, ACCEPT_LANGUAGE) !== undefined,
  environment: (one) => contextIn(one) !== undefined,
  state: (one) =>
    at(one.declared, 'state') !== undefined || stateSent(one, 'session') !== undefined || stateSent(one, 'server') !== undefined,
  trace: (one) => Object.keys((metaOf(one) as Message | undefined) ?? {}).some((key) => /(^|[./])traceparent$/.test(key)),
};

/** The values found in all calls of a scenario, or not applicable. */
export async function contexts(trial: ClientTrial, member: string): Promise<{ one: Received; value: unknown }[]> {
  const found = (await requests(trial, 'environment')).flatMap((one) => {
    const value = at(contextIn(one), member);
    return value === undefined ? [] : [{ one, value }];
  });
  if (found.length === 0) throw new NotApplicable(`no ${member} was sent`);
  return found;
}

/** Both legs of a question; a client that cannot be asked has none. */
export async function questions(trial: ClientTrial) {
  const [first, second] = await calls(trial, 'question', 'check_ask');
  if (first === undefined || at(first.declared, 'elicitation') === undefined) throw new NotApplicable('the client declares no elicitation');
  expectSent(second !== undefined, 'the question was never answered', first);
  return [first, second] as const;
}
