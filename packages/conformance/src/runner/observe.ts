/** Finds out which concerns a server takes part in. It is observed, never assumed: nothing advertises most of it. */
import { Failure } from '../check.js';
import type { Exchange } from '../wire/exchange.js';
import { at, isObject, type Message } from '../wire/json.js';
import { CONTENT_LANGUAGE, MISSING_CAPABILITY, MODERN, REQUIRED_CAPABILITIES } from '../wire/keys.js';
import type { Ask } from '../wire/session.js';
import { codeOf, type Harmless, languageOf, resultOf, type ServerPeer, stateIn } from './servers.js';

/** Languages that a server is asked for to learn which ones it has. */
const ASKED = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'zh', 'zh-Hant', 'ko', 'ar', 'he', 'ru', 'pl', 'sv', 'tr', 'hi'];

/** Sends the request on which a report of language was seen. */
export type Speak = (ask: Ask) => Promise<Exchange>;

interface SeenLanguage {
  readonly languages: readonly string[];
  readonly speak: Speak;
  /** The tool or method that reports them. */
  readonly on: string;
}

interface Subject {
  readonly peer: ServerPeer;
  readonly tools: ReadonlyMap<string, Message>;
  /** A tool that the user allows to call. */
  readonly harmless: Harmless | undefined;
}

export interface Observed extends Omit<Subject, 'peer'> {
  readonly language: SeenLanguage | undefined;
  /** `undeclared`: state is also set for a request that declares nothing, before anything was ever declared. */
  readonly state: { readonly undeclared: boolean } | undefined;
  /** `tool`: the tool that needs a capability. */
  readonly capabilities: { readonly tool: string } | undefined;
  /** For each concern that the server takes no part in, what was looked at. */
  readonly absent: Readonly<Record<string, string>>;
}

/** Looks for the signs of the concerns that are `needed`. A text in place of such a sign says what was looked at. */
export async function observeServer(peer: ServerPeer, harmless: Harmless | undefined, needed: ReadonlySet<string>): Promise<Observed> {
  const tools = new Map((await allTools(peer)).map((tool) => [String(tool['name']), tool]));
  const look = async <T>(concern: string, see: (subject: Subject) => Promise<T>) =>
    needed.has(concern) ? see({ peer, tools, harmless }) : 'not looked at';
  const [language, state] = [await look('language', seeLanguage), await look('state', seeState)];
  const capabilities = await look('capabilities', seeCapabilities);
  const environment = tools.has('check_range') ? undefined : `the fixture tool check_range is not among the ${tools.size} tools`;
  const absent = Object.entries({ language, environment, state, capabilities }).filter((pair) => typeof pair[1] === 'string');
  return {
    ...{ tools, harmless },
    language: typeof language === 'string' ? undefined : language,
    state: typeof state === 'string' ? undefined : state,
    capabilities: typeof capabilities === 'string' ? undefined : capabilities,
    absent: Object.fromEntries(absent) as Record<string, string>,
  };
}

/** Further pages are not read: a faulty server may always name a next one. */
const MAX_PAGES = 50;

async function allTools(peer: ServerPeer): Promise<Message[]> {
  const found: Message[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && (page === 0 || typeof cursor === 'string'); page++) {
    const result = resultOf(await peer.request('tools/list', page === 0 ? {} : { params: { cursor } }));
    const tools = at(result, 'tools');
    if (Array.isArray(tools)) found.push(...tools.filter(isObject));
    cursor = at(result, 'nextCursor');
  }
  return found;
}

/** Tells whether the server reports the language it used. A header alone may come from a framework, so it does not count. */
const reports = async (speak: Speak, language: string): Promise<boolean> => languageOf(await speak({ language })) !== undefined;

async function seeLanguage({ peer, tools, harmless }: Subject): Promise<SeenLanguage | string> {
  const ways: [on: string, speak: Speak][] = [
    ...(tools.has('check_language') ? [['check_language', (ask: Ask) => peer.call('check_language', {}, ask)] as [string, Speak]] : []),
    ...(harmless ? [[harmless.name, (ask: Ask) => peer.call(harmless.name, harmless.args, ask)] as [string, Speak]] : []),
    ...['tools/list', 'prompts/list', 'resources/list', ...(peer.revision === MODERN ? ['server/discover'] : [])].map(
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
    return { languages: [...languages], speak, on };
  }
  return `no ${CONTENT_LANGUAGE} on ${ways.map(([on]) => on).join(', ')} for fr, de and en`;
}

async function seeState({ peer, tools, harmless }: Subject): Promise<{ undeclared: boolean } | string> {
  const call = (name: string, args: Message): [string, Speak] => [name, (ask) => peer.call(name, args, ask)];
  const ways: [on: string, speak: Speak][] = [
    ...(tools.has('check_state') ? [call('check_state', { name: 'probe', value: 1 })] : []),
    ...(harmless ? [call(harmless.name, harmless.args)] : []),
    ['tools/list', (ask) => peer.request('tools/list', ask)],
  ];
  for (const [, speak] of ways) {
    // First without the capability: a server that remembers it would set state afterwards.
    const undeclared = stateIn(resultOf(await speak({}))).length > 0;
    const declared = await speak({ capabilities: { state: {} } }).catch((error: unknown) => error);
    // On 2025-11-25 this opens another session, which the server may refuse.
    if (declared instanceof Failure) return `with the state capability declared: ${declared.message}`;
    if (stateIn(resultOf(declared as Exchange)).length > 0) return { undeclared };
  }
  return `no state key in the results of ${ways.map(([on]) => on).join(', ')}, with the state capability declared`;
}

async function seeCapabilities({ peer, tools, harmless }: Subject): Promise<{ tool: string } | string> {
  // The fixture first: checks know what it does.
  const sorted = [...tools].sort(([one], [other]) => Number(other === 'check_ask') - Number(one === 'check_ask'));
  for (const [name, tool] of sorted) if (at(tool, '_meta', REQUIRED_CAPABILITIES) !== undefined) return { tool: name };
  const callable = [...(tools.has('check_ask') ? [{ name: 'check_ask', args: {} }] : []), ...(harmless ? [harmless] : [])];
  for (const { name, args } of callable) {
    if (codeOf(await peer.call(name, args)) === MISSING_CAPABILITY) return { tool: name };
  }
  return `none of the ${tools.size} tools is annotated, and none answered ${MISSING_CAPABILITY}`;
}
