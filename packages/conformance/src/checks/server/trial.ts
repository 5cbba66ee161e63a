/** The tools of every check of a server. */
import { type Check, expect, Failure, NotApplicable } from '../../check.js';
import type { Observed, Speak } from '../../runner/observe.js';
import { codeOf, inWords, sameAnswer, type ServerPeer } from '../../runner/servers.js';
import type { Exchange } from '../../wire/exchange.js';
import { at, isObject, type Message } from '../../wire/json.js';
import { METHOD_NOT_FOUND } from '../../wire/keys.js';
import type { Ask } from '../../wire/session.js';

export interface ServerTrial {
  readonly peer: ServerPeer;
  readonly observed: Observed;
  readonly wire: 'current' | 'seed';
}

export type ServerCheck = Check<ServerTrial>;

/** A fixture of the concern itself: a server that takes part and does not list it fails the check. */
export function needTool({ observed }: ServerTrial, name: string, why: string): void {
  expect(observed.tools.has(name), `${why}, and the fixture tool ${name} is not listed`);
}

/** A fixture of another concern: without it the check does not apply, since the server may take no part in that concern. */
export function skipWithout({ observed }: ServerTrial, name: string): void {
  if (!observed.tools.has(name)) throw new NotApplicable(`the fixture tool ${name} is not listed`);
}

/** Calls a tool that changes nothing: the one that the user named, or a fixture. Without one the list is empty. */
export async function quietCall({ peer, observed: { harmless, tools } }: ServerTrial, ask: Ask = {}): Promise<Exchange[]> {
  const fixture = ['check_meta', 'check_language', 'check_range'].find((name) => tools.has(name));
  const { name, args } = harmless ?? { name: fixture, args: { phrase: 'today' } };
  return name === undefined ? [] : [await peer.call(name, args, ask)];
}

/** The tools as a list with and without a request's additions, which change nothing. */
export async function expectSameList({ peer }: ServerTrial, plainAsk: Ask, ask: Ask, what: string): Promise<void> {
  const [plain, listed] = [await peer.request('tools/list', plainAsk), await peer.request('tools/list', ask)];
  expect(sameAnswer(plain, listed), `with ${what}: ${inWords(listed)}; without: ${inWords(plain)}`, listed, ['answer']);
}

/** The list of a method, or not applicable. */
export async function listOf({ peer }: ServerTrial, method = 'tools/list', ask: Ask = {}): Promise<Exchange> {
  const listed = await peer.request(method, ask);
  if (codeOf(listed) === METHOD_NOT_FOUND) throw new NotApplicable(`the server does not know ${method}`);
  return listed;
}

/** The request on which a language was reported. */
export function speaker({ observed }: ServerTrial): Speak {
  if (observed.language === undefined) throw new NotApplicable(observed.absent['language'] ?? '');
  return observed.language.speak;
}

/** Two languages that the server was seen to report. */
export function twoLanguages({ observed }: ServerTrial): [string, string] {
  const [first, second] = observed.language?.languages ?? [];
  if (first === undefined || second === undefined)
    throw new Failure(`only ${first ?? 'no language'} was ever reported; the check needs a server with two languages`);
  return [first, second];
}

/** Members of a tool that a program relies on: everything but texts for people. */
export function identifiers(value: unknown, within?: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => identifiers(one, within));
  if (!isObject(value)) return value;
  // The members of `properties` are names, even if one is called "title".
  const named = within === 'properties';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => named || !(['title', 'description'].includes(key) && typeof member === 'string'))
      .filter(([key]) => named || key !== 'enumNames')
      .map(([key, member]) => [
        key,
        ['enum', 'const', 'default', 'required'].includes(key) && !named ? member : identifiers(member, named ? undefined : key),
      ]),
  );
}

export const toolsIn = (answer: Message | undefined): Message[] => {
  const tools = at(answer, 'result', 'tools');
  return Array.isArray(tools) ? tools.filter(isObject) : [];
};
