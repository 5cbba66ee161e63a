/**
 * SEP-2792 for clients. The client is told its user's preference and the steps in MCP_CONFORMANCE_CONTEXT: it lists the tools, the user
 * changes the language, it lists them again, and it calls `check_mismatch`, whose answer names two languages; if that call fails it calls
 * `check_failed`.
 */
import type { ConformanceCheck, Scenario, ScenarioUrls } from '../../types.js';
import { type Declared, judge, NotApplicable } from '../declared.js';
import { at } from '../json.js';
import { ACCEPT, CONTENT, SEP_2792 } from '../language-keys.js';
import { metaOf, RawServer, type Received } from './raw-server.js';

const RANGE = /^(?:\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;
const TOOLS = ['check_mismatch', 'check_failed'].map((name) => ({
  name,
  description: `Fixture ${name}`,
  inputSchema: { type: 'object', properties: {} },
}));

const preferenceOf = (one: Received): unknown => metaOf(one, ACCEPT);
const called = (server: RawServer, name: string) =>
  server.requests('tools/call').filter((one) => at(one.message, 'params', 'name') === name);

/** Requests that carry a preference: a client without one is not judged on how it would send it. */
function preferring(server: RawServer): Received[] {
  const found = server.requests().filter((one) => preferenceOf(one) !== undefined);
  if (found.length === 0) throw new NotApplicable('no request carried a preference');
  return found;
}
const first = (found: readonly Received[], wrong: (one: Received) => string | undefined): string | undefined =>
  found.map(wrong).find((problem) => problem !== undefined);

const CHECKS: readonly Declared<RawServer>[] = [
  {
    id: 'sep-2792-client-sends-preference',
    name: 'ClientSendsPreference',
    description: 'Every request carries the preference of the user',
    level: 'SHOULD',
    test: (server) =>
      first(server.requests(), (one) => (preferenceOf(one) === undefined ? `${String(one.message['method'])} carries none` : undefined)),
  },
  {
    id: 'sep-2792-client-preference-grammar',
    name: 'ClientPreferenceGrammar',
    description: 'The preference has the grammar of Accept-Language',
    level: 'MUST',
    test: (server) =>
      first(preferring(server), (one) => {
        const value = preferenceOf(one);
        const fits = typeof value === 'string' && value.split(',').every((part) => RANGE.test(part.trim()));
        return fits ? undefined : `the preference is ${JSON.stringify(value)}`;
      }),
  },
  {
    id: 'sep-2792-client-mirrors-header',
    name: 'ClientMirrorsHeader',
    description: 'Accept-Language agrees exactly with the preference in _meta',
    level: 'MUST',
    test: (server) =>
      first(preferring(server), (one) => {
        const sent = one.lines('accept-language').join(', ');
        return sent === preferenceOf(one)
          ? undefined
          : `_meta says ${JSON.stringify(preferenceOf(one))}, the header ${JSON.stringify(sent)}`;
      }),
  },
  {
    id: 'sep-2792-client-single-field-line',
    name: 'ClientSingleFieldLine',
    description: 'Accept-Language is one field line',
    level: 'MUST',
    test: (server) =>
      first(preferring(server), (one) => {
        const { length } = one.lines('accept-language');
        return length <= 1 ? undefined : `${length} lines of Accept-Language`;
      }),
  },
  {
    id: 'sep-2792-client-cache-key',
    name: 'ClientCacheKey',
    description: 'A list that was cached for one preference is not used for another',
    level: 'MUST',
    test: (server) => {
      const asked = new Set(
        preferring(server)
          .filter(({ message }) => message['method'] === 'tools/list')
          .map(preferenceOf),
      );
      return asked.size >= 2 ? undefined : `the preference changed, and tools/list was asked for ${JSON.stringify([...asked])} only`;
    },
  },
  {
    id: 'sep-2792-client-malformed-response',
    name: 'ClientMalformedResponse',
    description: 'An answer whose Content-Language and contentLanguage do not agree is treated as malformed',
    level: 'MUST',
    test: (server) => {
      preferring(server);
      if (called(server, 'check_mismatch').length === 0) return 'check_mismatch was not called';
      return called(server, 'check_failed').length > 0 ? undefined : 'the header said fr, the body de, and the call succeeded';
    },
  },
];

export class LanguageClientScenario implements Scenario {
  name = 'language-client';
  readonly source = { introducedIn: '2026-07-28' } as const;
  description = 'Tests how a client sends the language preference of its user, and how it takes reports of language (SEP-2792).';
  #server = new RawServer();

  async start(): Promise<ScenarioUrls> {
    this.#server = new RawServer();
    const serverUrl = await this.#server.start(({ message }) => {
      if (message['method'] === 'tools/list') return { result: { tools: TOOLS, ttlMs: 60_000, cacheScope: 'public' } };
      if (message['method'] !== 'tools/call') return {};
      const result = { content: [{ type: 'text', text: 'done' }] };
      if (at(message, 'params', 'name') !== 'check_mismatch') return { result };
      return { result: { ...result, _meta: { [CONTENT]: 'de' } }, headers: { 'Content-Language': 'fr' } };
    });
    const steps = [
      { op: 'list' },
      { op: 'language', value: 'de' },
      { op: 'list' },
      { op: 'call', name: 'check_mismatch', arguments: {}, otherwise: 'check_failed' },
    ];
    return { serverUrl, context: { language: 'fr-CH, fr;q=0.9, en;q=0.5', steps } };
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  getChecks(): ConformanceCheck[] {
    return judge(CHECKS, this.#server, SEP_2792);
  }
}
