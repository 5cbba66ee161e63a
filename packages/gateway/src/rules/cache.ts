/** Lists that an upstream allows to keep, for each language, set of capabilities and principal. */
import { keys } from 'waybill';
import { canonicalCapabilities } from 'waybill/adapter';
import { wholeAnswer } from '../answer.js';
import { textAt } from '../json/spans.js';
import { own, type JsonRecord } from '../json/values.js';
import { makeMessage, type Message } from '../message.js';
import type { Hop, Rule } from './rule.js';

interface Entry {
  readonly result: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly until: number;
}

const LISTS = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
const MOST_ENTRIES = 1_000;
const MOST_LETTERS = 1024 * 1024;

/** `standard`: milliseconds for lists of an upstream that says nothing itself; 0: such lists are not kept. */
export function cacheRule(standard: number, now: () => number): Rule {
  const entries = new Map<string, Entry>();
  const served = new WeakSet<Hop>();

  return {
    name: 'lists',
    isCache: true,
    request(hop) {
      const { message } = hop;
      if (!LISTS.has(message.method)) return undefined;
      const key = keyOf(hop);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.until <= now()) {
        entries.delete(key);
        return undefined;
      }
      const answer = makeMessage({ jsonrpc: '2.0', id: 0, result: {} });
      answer.setText(['result'], entry.result);
      answer.setText(['id'], textAt(message.text, ['id']) as string);
      served.add(hop);
      return wholeAnswer(answer.text, 200, entry.headers);
    },
    looksAt: (hop) => LISTS.has(hop.message.method) && !served.has(hop),
    answer(answer: Message, hop) {
      if (/^notifications\/\w+\/list_changed$/.test(answer.method)) entries.clear();
      if (answer.kind !== 'result') return;
      const result = own(answer.value, 'result') as JsonRecord;
      const { ttlMs } = result;
      const life = typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : ttlMs === undefined ? standard : 0;
      // Without a principal one caller cannot be told from another, so only what is for everybody is kept.
      const isKept = life > 0 && (hop.caller.principal !== undefined || result['cacheScope'] === 'public');
      const text = textAt(answer.text, ['result']) ?? '';
      if (!isKept || text.length > MOST_LETTERS) return;
      if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
      entries.set(keyOf(hop), { result: text, headers: { ...hop.answered }, until: now() + life });
    },
  };
}

/** Taken from the request as it came: rules behind may change it. */
function keyOf(hop: Hop): string {
  const known = asked.get(hop);
  if (known !== undefined) return known;
  const { message, caller, capabilities, received, era } = hop;
  const key = JSON.stringify([
    message.method,
    own(message.params, 'cursor') ?? null,
    message.meta[keys.ACCEPT_LANGUAGE] ?? received['accept-language'] ?? null,
    canonicalCapabilities(capabilities),
    caller.principal ?? null,
    era,
  ]);
  asked.set(hop, key);
  return key;
}

const asked = new WeakMap<Hop, string>();
