/** Lists that an upstream allows to keep, for each language, set of capabilities and principal. */
import { keys } from 'waybill';
import { canonicalCapabilities, readResult } from 'waybill/adapter';
import { wholeAnswer } from '../answer.js';
import { textAt } from '../json/spans.js';
import { own, type JsonRecord } from '../json/values.js';
import { makeMessage, type Message } from '../message.js';
import type { Hop, Rule } from './rule.js';

interface Entry {
  readonly result: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly until: number;
  /** The upstream has said itself how long the list may be kept. */
  readonly tellsLife: boolean;
}

const LISTS = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
const MAX_ENTRIES = 1_000;
const MAX_LETTERS = 1024 * 1024;

/** `standard`: milliseconds for lists of an upstream that says nothing itself; 0: such lists are not kept. */
export function cacheRule(standard: number, now: () => number): Rule {
  const entries = new Map<string, Entry>();
  const asked = new WeakMap<Hop, { readonly key: string; readonly changes: number }>();
  /** Counts how often the upstream has said that a list is not what it was. */
  let changes = 0;

  function notified({ method }: Message): void {
    if (!/^notifications\/\w+\/list_changed$/.test(method)) return;
    changes++;
    entries.clear();
  }

  return {
    name: 'lists',
    isCache: true,
    request(hop) {
      const { message } = hop;
      if (!LISTS.has(message.method)) return undefined;
      // Taken now: later rules may change the request.
      const key = keyOf(hop);
      asked.set(hop, { key, changes });
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.until <= now()) {
        entries.delete(key);
        return undefined;
      }
      const answer = makeMessage({ jsonrpc: '2.0', id: 0, result: {} });
      answer.setText(['result'], entry.result);
      answer.setText(['id'], message.idText);
      // A client that keeps the list must not keep it longer than the upstream allowed.
      if (entry.tellsLife) answer.set(['result', 'ttlMs'], Math.floor(entry.until - now()));
      return wholeAnswer(answer.text, 200, entry.headers);
    },
    // A change may be told on any stream.
    looksAt: ({ message: { method } }) => LISTS.has(method) || method === 'subscriptions/listen' || entries.size > 0,
    notified,
    answer(answer, hop) {
      notified(answer);
      const request = asked.get(hop);
      // A list that was on its way while it changed may be the old one.
      if (answer.kind !== 'result' || request?.changes !== changes) return;
      const result = own(answer.value, 'result') as JsonRecord;
      const { ttlMs } = result;
      const life = typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : ttlMs === undefined ? standard : 0;
      // Without a principal one caller cannot be told from another, so only what is for everybody is kept.
      // IX-09: state is set once, not again by each answer from the cache.
      const setsState = readResult(answer.value).state !== undefined;
      const isKept = life > 0 && !setsState && (hop.caller.principal !== undefined || result['cacheScope'] === 'public');
      const text = textAt(answer.text, ['result']) ?? '';
      if (!isKept || text.length > MAX_LETTERS) return;
      if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value as string);
      entries.set(request.key, { result: text, headers: { ...hop.answered }, until: now() + life, tellsLife: ttlMs !== undefined });
    },
  };
}

function keyOf({ message, caller, capabilities, received, era }: Hop): string {
  return JSON.stringify([
    message.method,
    own(message.params, 'cursor') ?? null,
    message.meta[keys.ACCEPT_LANGUAGE] ?? received['accept-language'] ?? null,
    canonicalCapabilities(capabilities),
    caller.principal ?? null,
    era,
  ]);
}
