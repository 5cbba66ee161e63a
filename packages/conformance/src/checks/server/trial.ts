/** The tools of every check of a server. */
import { type Check, expect, Failure, NotApplicable } from '../../check.js';
import type { Observed, Speak } from '../../runner/observe.js';
import type { ServerPeer } from '../../runner/servers.js';
import type { Exchange } from '../../wire/exchange.js';
import { at, isObject, type Message } from '../../wire/json.js';
import type { Ask } from '../../wire/session.js';

export interface ServerTrial {
  readonly peer: ServerPeer;
  readonly observed: Observed;
  readonly wire: 'current' | 'seed';
}

export type ServerCheck = Check<ServerTrial>;

/** A subject that takes part but lacks something a check needs fails it. */
export function needTool({ observed }: ServerTrial, name: string, why: string): Message {
  const tool = observed.tools.get(name);
  expect(tool !== undefined, `${why}, and the fixture tool ${name} is not listed`);
  return tool;
}

/** A fixture of another concern: a server that takes no part in that one need not have it. */
export function otherTool({ observed }: ServerTrial, name: string): void {
  if (!observed.tools.has(name)) throw new NotApplicable(`the fixture tool ${name} is not listed`);
}

/** Calls a tool that changes nothing: the one that was named, or a fixture. Without one the list is empty. */
export async function quietCall({ peer, observed: { harmless, tools } }: ServerTrial, ask: Ask = {}): Promise<Exchange[]> {
  const fixture = ['check_meta', 'check_language', 'check_range'].find((name) => tools.has(name));
  const { name, args } = harmless ?? { name: fixture, args: { phrase: 'today' } };
  return name === undefined ? [] : [await peer.call(name, args, ask)];
}

/** The request on which a language was reported. */
export function speaker({ observed }: ServerTrial): Speak {
  if (observed.language === undefined) throw new NotApplicable(observed.absent['language'] ?? '');
  return observed.language.speak;
}

/** Two languages that the server really has. */
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
  // Below `properties` the members are names, also one that is called "title".
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
