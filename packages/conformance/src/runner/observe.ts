/** Finds out which concerns a server takes part in. It is observed, never assumed: nothing advertises most of it. */
import type { Exchange } from '../wire/exchange.js';
import { at, isObject, type Message, short } from '../wire/json.js';
import { CONTENT_LANGUAGE, MISSING_CAPABILITY, REQUIRED_CAPABILITIES } from '../wire/keys.js';
import type { Ask } from '../wire/session.js';
import { codeOf, type Harmless, languageOf, resultOf, type ServerPeer, stateIn, told } from './servers.js';

/** Languages that a server is asked for to learn which ones it has. */
const ASKED = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'zh', 'zh-Hant', 'ko', 'ar', 'he', 'ru', 'pl', 'sv', 'tr', 'hi'];

/** Sends the request on which a report of language was seen. */
export type Speak = (ask: Ask) => Promise<Exchange>;

export interface Observed {
  readonly tools: ReadonlyMap<string, Message>;
  readonly language:
    { readonly seen: string; readonly languages: readonly string[]; readonly speak: Speak; readonly on: string } | undefined;
  readonly environment: { readonly seen: string } | undefined;
  /** `undeclared`: state is also set for a request that declares nothing, before anything was ever declared. */
  readonly state: { readonly seen: string; readonly undeclared: boolean } | undefined;
  readonly capabilities: { readonly seen: string; readonly tool: string } | undefined;
  /** For each concern that the server takes no part in, what was looked at. */
  readonly absent: Readonly<Record<string, string>>;
  readonly harmless: Harmless | undefined;
}

export async function observeServer(peer: ServerPeer, harmless: Harmless | undefined, needed: ReadonlySet<string>): Promise<Observed> {
  const tools = new Map((await allTools(peer)).map((tool) => [String(tool['name']), tool]));
  const nothing: { seen?: never; absent: string } = { absent: 'not looked at' };
  const language = needed.has('language') ? await seeLanguage(peer, tools, harmless) : nothing;
  const state = needed.has('state') ? await seeState(peer, tools, harmless) : nothing;
  const capabilities = needed.has('capabilities') ? await seeCapabilities(peer, tools, harmless) : nothing;
  const hasRange = tools.has('check_range');
  const absentRange = `the fixture tool check_range is not among the ${tools.size} tools`;
  return {
    tools,
    harmless,
    language: 'speak' in language ? language : undefined,
    environment: hasRange ? { seen: 'check_range is listed' } : undefined,
    state: 'key' in state ? state : undefined,
    capabilities: 'tool' in capabilities ? capabilities : undefined,
    absent: Object.fromEntries(
      [
        ['language', 'absent' in language ? language.absent : undefined],
        ['environment', hasRange ? undefined : absentRange],
        ['state', 'absent' in state ? state.absent : undefined],
        ['capabilities', 'absent' in capabilities ? capabilities.absent : undefined],
      ].filter((pair) => pair[1] !== undefined),
    ) as Record<string, string>,
  };
}

/** A server that always has a next page is not followed any further than this. */
const MOST_PAGES = 50;

async function allTools(peer: ServerPeer): Promise<Message[]> {
  const found: Message[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES && (page === 0 || typeof cursor === 'string'); page++) {
    const result = resultOf(await peer.request('tools/list', page === 0 ? {} : { params: { cursor } }));
    const tools = at(result, 'tools');
    if (Array.isArray(tools)) found.push(...tools.filter(isObject));
    cursor = at(result, 'nextCursor');
  }
  return found;
}

/** Tells whether a preference makes the server say which language it used. A header alone may come from a framework and claims nothing. */
const reports = async (speak: Speak, language: string): Promise<boolean> => languageOf(await speak({ language })) !== undefined;

async function seeLanguage(peer: ServerPeer, tools: ReadonlyMap<string, Message>, harmless: Harmless | undefined) {
  const ways: [on: string, speak: Speak][] = [
    ...(tools.has('check_language') ? [['check_language', (ask: Ask) => peer.call('check_language', {}, ask)] as [string, Speak]] : []),
    ...(harmless ? [[harmless.name, (ask: Ask) => peer.call(harmless.name, harmless.args, ask)] as [string, Speak]] : []),
    ...['tools/list', 'prompts/list', 'resources/list', ...(peer.revision === '2026-07-28' ? ['server/discover'] : [])].map(
      (method): [string, Speak] => [method, (ask) => peer.request(method, ask)],
    ),
  ];
  for (const [on, speak] of ways) {
    if (!(await reports(speak, 'fr, de;q=0.8, en;q=0.5')) && !(await reports(speak, 'en'))) continue;
    const languages = new Set<string>();
    for (const language of ASKED) {
      const reported = languageOf(await speak({ language }));
      if (typeof reported === 'string') languages.add(reported);
    }
    return { seen: `${on} reports ${[...languages].join(', ')}`, languages: [...languages], speak, on };
  }
  return { absent: `no ${CONTENT_LANGUAGE} on ${ways.map(([on]) => on).join(', ')} for fr, de and en` };
}

async function seeState(peer: ServerPeer, tools: ReadonlyMap<string, Message>, harmless: Harmless | undefined) {
  const call = (name: string, args: Message): [string, Speak] => [name, (ask) => peer.call(name, args, ask)];
  const ways: [on: string, speak: Speak][] = [
    ...(tools.has('check_state') ? [call('check_state', { name: 'probe', value: 1 })] : []),
    ...(harmless ? [call(harmless.name, harmless.args)] : []),
    ['tools/list', (ask) => peer.request('tools/list', ask)],
  ];
  for (const [on, speak] of ways) {
    // First without the capability: a server that remembers it would set state afterwards.
    const undeclared = stateIn(resultOf(await speak({}))).length > 0;
    const [found] = stateIn(resultOf(await speak({ capabilities: { state: {} } })));
    if (found !== undefined) return { seen: `${on} sets ${found.key}`, key: found.key, undeclared };
  }
  return { absent: `no state key in the results of ${ways.map(([on]) => on).join(', ')}, with the state capability declared` };
}

async function seeCapabilities(peer: ServerPeer, tools: ReadonlyMap<string, Message>, harmless: Harmless | undefined) {
  // The fixture first: checks know what it does.
  const sorted = [...tools].sort(([one], [other]) => Number(other === 'check_ask') - Number(one === 'check_ask'));
  for (const [name, tool] of sorted)
    if (at(tool, '_meta', REQUIRED_CAPABILITIES) !== undefined)
      return { seen: `${name} is annotated with ${short(at(tool, '_meta', REQUIRED_CAPABILITIES))}`, tool: name };
  const callable = [...(tools.has('check_ask') ? [{ name: 'check_ask', args: {} }] : []), ...(harmless ? [harmless] : [])];
  for (const { name, args } of callable) {
    const called = await peer.call(name, args);
    if (codeOf(called) === MISSING_CAPABILITY) return { seen: `${name} answered ${told(called)}`, tool: name };
  }
  return { absent: `none of the ${tools.size} tools is annotated, and none answered ${MISSING_CAPABILITY}` };
}
