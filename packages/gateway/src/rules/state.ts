/**
 * State. `pass`: all upstreams share one drawer of the client, so with more than one each name goes to the client as `NAME/…`, and only the
 * upstream's own come back to it. `keep`: for clients that do not declare `state`, the gateway keeps the jar itself. `off`: no state passes.
 */
import { keys, type StateValues } from 'waybill';
import { declaresState, readRequest, readResult, strip, writeRequest, writeResult, type RelayAnswer } from 'waybill/adapter';
import type { StateConfig } from '../config/types.js';
import type { StateKeeper } from '../keeper.js';
import { textAt } from '../json/spans.js';
import { at, isObject, own, textOf } from '../json/values.js';
import type { Message } from '../message.js';
import type { Hop, Rule } from './rule.js';

type Names<T> = ReadonlyMap<string, T>;

/** The jar, and the drawer of one upstream in it. */
export interface Kept {
  readonly keeper: StateKeeper;
  /** The drawer of this upstream. */
  readonly server: string;
}

export function stateRule({ mode, conversation }: StateConfig, name: string, isOnly: boolean, kept: Kept | undefined): Rule | undefined {
  if (mode === 'off') return offRule();
  const prefix = isOnly ? undefined : `${name}/`;
  const passing = prefix === undefined ? undefined : prefixRule(prefix);
  if (mode === 'pass' || kept === undefined) return passing;
  const keeping = keepRule(kept, conversation);
  // Decided once: the keeper itself declares `state` on the request.
  const chosen = new WeakMap<Hop, Rule>();
  return {
    name: 'state (keep)',
    request(hop) {
      const rule = declaresState(hop.capabilities) ? passing : keeping;
      if (rule !== undefined) chosen.set(hop, rule);
      return rule?.request?.(hop);
    },
    looksAt: (hop) => chosen.get(hop)?.looksAt?.(hop) === true,
    answer: (message, hop) => chosen.get(hop)?.answer?.(message, hop),
    sessionEnded: (session, caller) => keeping.sessionEnded?.(session, caller),
  };
}

/** The results of these carry no state, but say which names the server merges. */
const INTRODUCTIONS = new Set(['initialize', 'server/discover']);

function prefixRule(prefix: string): Rule {
  return {
    name: `state (${prefix}…)`,
    request({ message }) {
      const { state } = readRequest(message.value);
      if (state === undefined) return;
      const inside = <T>(names: Names<T> | undefined): Names<T> | undefined => {
        const own = [...(names ?? [])].flatMap(([name, value]) =>
          name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
        );
        return own.length === 0 ? undefined : new Map(own);
      };
      const values: StateValues = {
        ...scopes(state, inside),
        ...(state.conflicts && { conflicts: scopes(state.conflicts, inside) }),
      };
      const before = message.text;
      message.become([], writeRequest(strip(message.value, ['state']), { state: values }));
      keepTexts(message, before, (name) => prefix + name);
    },
    looksAt: () => true,
    answer(message, hop) {
      if (message.kind !== 'result') return;
      if (INTRODUCTIONS.has(hop.message.method)) {
        const path = ['result', 'capabilities', 'extensions', keys.EXTENSION_ID, 'merge'];
        const merge = at(message.value, ...path);
        if (Array.isArray(merge))
          message.set(
            path,
            merge.map((one: unknown) => (typeof one === 'string' ? prefix + one : one)),
          );
        return;
      }
      const { state } = readResult(message.value);
      if (state === undefined) return;
      const outside = <T>(names: Names<T> | undefined): Names<T> | undefined =>
        names && new Map([...names].map(([name, value]) => [prefix + name, value]));
      const before = message.text;
      message.become([], writeResult(strip(message.value, ['state']), { state: scopes(state, outside) }));
      keepTexts(message, before, (name) => name.slice(prefix.length));
    },
  };
}

/** The keys of `_meta` under which values stand: the one that is written, and those that are read. */
const PLACES = (['session', 'server'] as const).flatMap((scope) => {
  const conflicts = [keys.STATE_CONFLICTS, scope];
  const spellings = keys.STATE_SPELLINGS[scope].map((key) => [key]);
  return [
    { written: spellings[0] as readonly string[], read: spellings },
    { written: conflicts, read: [conflicts] },
  ];
});

/** Only names were changed: the values get back the text that their peer wrote. `nameBefore` is the name that a value had there. */
function keepTexts(message: Message, before: string, nameBefore: (name: string) => string): void {
  const meta = [message.kind === 'result' ? 'result' : 'params', '_meta'];
  for (const { written, read } of PLACES) {
    const values = at(message.meta, ...written);
    for (const name of isObject(values) ? Object.keys(values) : []) {
      const texts = read.map((place) => textAt(before, [...meta, ...place, nameBefore(name)]));
      const text = texts.find((one) => one !== undefined);
      if (text !== undefined) message.setText([...meta, ...written, name], text);
    }
  }
}

interface Scopes<T> {
  readonly session?: Names<T>;
  readonly server?: Names<T>;
}

function scopes<T>(given: Scopes<T>, change: (names: Names<T> | undefined) => Names<T> | undefined): Scopes<T> {
  const session = change(given.session);
  const server = change(given.server);
  return { ...(session && { session }), ...(server && { server }) };
}

function offRule(): Rule {
  return {
    name: 'state (off)',
    request(hop) {
      const { message } = hop;
      if (message.kind !== 'request') return;
      message.become([], strip(message.value, ['state']));
      undeclare(hop);
    },
    looksAt: () => true,
    answer(message) {
      if (message.kind === 'result') message.become([], strip(message.value, ['state']));
    },
  };
}

/** The place of the client's declaration. A 2025 request has one only if its client is aware. */
function declarationOf({ message, era }: Hop): readonly string[] | undefined {
  if (message.method === 'initialize') return ['params', 'capabilities'];
  if (era === 'modern') return ['params', '_meta', keys.CLIENT_CAPABILITIES];
  return message.meta[keys.OWN_CLIENT_CAPABILITIES] === undefined ? undefined : ['params', '_meta', keys.OWN_CLIENT_CAPABILITIES];
}

/** A server that gets no state must not be told that it may keep some. */
function undeclare(hop: Hop): void {
  const { message } = hop;
  const path = declarationOf(hop);
  if (path === undefined) return;
  if (at(message.value, ...path, 'state') !== undefined) message.remove([...path, 'state']);
  if (at(message.value, ...path, 'experimental', 'state') !== undefined) message.remove([...path, 'experimental', 'state']);
}

function keepRule({ keeper, server }: Kept, conversationKey: string | undefined): Rule {
  const sent = new WeakMap<Hop, { readonly carried: RelayAnswer; readonly hasConversation: boolean }>();
  let merges: ReadonlySet<string> = new Set();

  function conversationOf({ message, session }: Hop): string | undefined {
    const named = conversationKey === undefined ? undefined : textOf(own(message.meta, conversationKey));
    if (named !== undefined && named !== '') return named;
    return session === undefined ? undefined : ofSession(server, session);
  }

  return {
    name: 'state (keep)',
    async request(hop) {
      const { message, caller } = hop;
      if (message.kind !== 'request' || caller.principal === undefined) return;
      // D-38: the one capability that the gateway adds, because it keeps the jar.
      const place = declarationOf(hop);
      const declared = place && at(message.value, ...place);
      if (place !== undefined) message.set(place, { ...(isObject(declared) ? declared : {}), state: {} });
      if (message.method === 'initialize') return;
      const conversation = conversationOf(hop);
      const carried = await keeper.send(message.value, { server, principal: caller.principal, conversation });
      sent.set(hop, { carried, hasConversation: conversation !== undefined });
      message.become([], carried.message);
    },
    looksAt: () => true,
    async answer(message, hop) {
      if (message.kind !== 'result') return;
      const listed = at(message.value, 'result', 'capabilities', 'extensions', keys.EXTENSION_ID, 'merge');
      if (Array.isArray(listed)) merges = new Set(listed.filter((one): one is string => typeof one === 'string'));
      const request = sent.get(hop);
      if (request === undefined) return;
      if (!request.hasConversation && (readResult(message.value).state?.session?.size ?? 0) > 0)
        hop.report('state: session state is dropped, since nothing names the conversation');
      message.become([], await request.carried.take(message.value, merges));
    },
    sessionEnded(session, { principal }) {
      if (principal !== undefined) keeper.end(principal, ofSession(server, session)).catch(() => undefined);
    },
  };
}

/** The state of a legacy session is a conversation of its own, also on another replica and after a new start. Upstreams may use equal ids. */
function ofSession(server: string, session: string): string {
  return `mcp-session ${server} ${session}`;
}
