/** Calls of the fixture tool check_range, and what its answers are compared with. */
import { expect } from '../../../check.js';
import { dataOf, expectResult, inWords } from '../../../runner/servers.js';
import type { Exchange } from '../../../wire/exchange.js';
import { at, isObject, type Message, short } from '../../../wire/json.js';
import { CLIENT_CONTEXT } from '../../../wire/keys.js';
import type { Ask } from '../../../wire/session.js';
import type { ServerTrial } from '../trial.js';

/** A context, and the bounds of the phrase in it; without `end` only the start is judged. */
export interface Day {
  readonly context: Message;
  readonly phrase?: string;
  readonly start: string;
  readonly end?: string;
}

/** Long ago, so that no clock of a server says the same. */
export const NOW = '2024-06-10T23:30:00Z';
export const VIENNA = {
  context: { timezone: 'Europe/Vienna', currentTimestamp: NOW },
  start: '2024-06-10T22:00:00Z',
  end: '2024-06-11T22:00:00Z',
} as const;
export const ANGELES = {
  context: { timezone: 'America/Los_Angeles', currentTimestamp: NOW },
  start: '2024-06-10T07:00:00Z',
  end: '2024-06-11T07:00:00Z',
} as const;
/** A day by the offset of its timestamp, for a call without a zone. */
export const FIXED = { context: { currentTimestamp: '2024-06-10T22:30:00-05:00' }, start: '2024-06-10T05:00:00Z' } as const;

/** Faults of servers that look at no zone, or at no timestamp. */
export const NEITHER = ['environment-ignores-zone', 'environment-own-clock'];

const isBeside = (trial: ServerTrial): boolean => trial.wire === 'seed';

/** The context where this wire carries it; `hidden` stands in `_meta` beside it. */
export function carry(trial: ServerTrial, context: unknown, beside = isBeside(trial), hidden?: Message): Ask {
  if (!beside) return { meta: { [CLIENT_CONTEXT]: context } };
  return { meta: hidden && { [CLIENT_CONTEXT]: hidden }, beside: { clientContext: context } };
}

export const callRange = (trial: ServerTrial, phrase: string, ask: Ask): Promise<Exchange> =>
  trial.peer.call('check_range', { phrase }, ask);

const instant = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : NaN);

export async function expectRange(trial: ServerTrial, day: Day): Promise<void> {
  const { context, phrase = 'today' } = day;
  const called = await callRange(trial, phrase, carry(trial, context));
  expectResult(called, `"${phrase}" with ${short(context)}`);
  const data = dataOf(called);
  expect(isObject(data), `check_range gave ${inWords(called)}`, called, ['answer', 'result']);
  for (const bound of ['start', 'end'] as const) {
    const expected = day[bound];
    if (expected === undefined) continue;
    const given = at(data, bound);
    const observed = `"${phrase}" with ${short(context)}: expected ${bound} ${expected}, got ${short(given)}`;
    expect(instant(given) === instant(expected), observed, called, ['answer', 'result', 'structuredContent', bound]);
  }
}

/** Says in words what was sent, and how. */
type Way = readonly [what: string, ask: Ask];

/** Both ways of asking give the same day, right or wrong: whether it is right is the matter of other checks. */
export async function expectSame(trial: ServerTrial, [what, ask]: Way, [otherwise, other]: Way): Promise<void> {
  const [one, two] = [await callRange(trial, 'today', ask), await callRange(trial, 'today', other)];
  const [starts, ends] = (['start', 'end'] as const).map((bound) =>
    [one, two].map((called) => (expectResult(called, 'check_range {"phrase":"today"}'), at(dataOf(called), bound))),
  );
  const same = [starts, ends].every((pair) => pair !== undefined && instant(pair[0]) === instant(pair[1]));
  const observed = `${what}, today starts at ${short(starts?.[0])}; ${otherwise}, at ${short(starts?.[1])}`;
  expect(same, observed, two, ['answer', 'result']);
}

/** A context as a way to ask. */
export const way = (trial: ServerTrial, context: Message): Way => [`with ${short(context)}`, carry(trial, context)];
