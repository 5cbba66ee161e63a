/**
 * General `_meta`: the seed of SEP-414, since narrowed to the trace keys, and the key grammar of the base specification (BASE-05, BASE-06).
 * It holds metadata only, separate from the method's params (TRACE-05); unknown keys pass untouched (TRACE-04). The rules below are for
 * keys that an application adds, never for keys of a peer.
 */
import type { Report } from './issue.js';
import { isObject, outOfBounds, own, setOwn, type Bounds, type Meta } from './json.js';
import { BAGGAGE, CLIENT_INFO, OWN_PREFIX, PROGRESS_TOKEN, STATE_SPELLINGS, TRACEPARENT, TRACESTATE } from './keys.js';

const MAX_KEY = 256;
const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?';
const KEY = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*/(?:${NAME})?|${NAME})$`);

const BARE_RESERVED: ReadonlySet<string> = new Set([PROGRESS_TOKEN, TRACEPARENT, TRACESTATE, BAGGAGE]);
const NOT_RESULT_AFFECTING: ReadonlySet<string> = new Set([...BARE_RESERVED, CLIENT_INFO]);
const STATE_KEYS: ReadonlySet<string> = new Set([...STATE_SPELLINGS.session, ...STATE_SPELLINGS.server]);

/** The bounds of one value of the application. */
const OWN_BOUNDS: Bounds = { depth: 32, values: 4096, characters: 262_144 };

// BASE-05
/** A prefix of dot-separated labels, one slash and a name, which may be empty; or a name alone. */
export function isMetaKey(key: string): boolean {
  return key.length <= MAX_KEY && KEY.test(key);
}

// BASE-05, BASE-06
/** True if MCP reserves the key, by the second label of its prefix or as a bare name. */
export function isReservedKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return BARE_RESERVED.has(key);
  const second = key.slice(0, slash).split('.', 2)[1]?.toLowerCase();
  return second === 'modelcontextprotocol' || second === 'mcp';
}

/** True for keys that only the jar and the layer may write: nobody else knows what a server stored. */
export function isProtectedKey(key: string): boolean {
  return key.startsWith(OWN_PREFIX) || STATE_KEYS.has(key);
}

// TRACE-14
/** True if a result may depend on the key, so that caches must keep its values apart. */
export function isResultAffecting(key: string): boolean {
  return !NOT_RESULT_AFFECTING.has(key);
}

// TRACE-06
/** Returns the token, a string or an integer, unchanged. */
export function readProgressToken(meta: Meta, report: Report): string | number | undefined {
  const token = own(meta, PROGRESS_TOKEN);
  if (token === undefined || typeof token === 'string' || (typeof token === 'number' && Number.isInteger(token))) return token;
  report({ concern: 'meta', key: PROGRESS_TOKEN, problem: 'is not a string or an integer' });
  return undefined;
}

/** Keeps the keys of an application that may be sent, and reports the others. */
export function checkOwnMeta(values: unknown, report: Report): Meta {
  const kept: Meta = {};
  if (!isObject(values)) {
    if (values !== undefined) report({ concern: 'meta', key: '_meta', problem: 'is not an object' });
    return kept;
  }
  for (const key of Object.keys(values)) {
    const value = own(values, key);
    const problem = keyProblem(key) ?? outOfBounds(value, OWN_BOUNDS);
    if (problem === undefined) setOwn(kept, key, value);
    else report({ concern: 'meta', key: key.slice(0, MAX_KEY), problem });
  }
  return kept;
}

function keyProblem(key: string): string | undefined {
  if (isProtectedKey(key)) return 'may only be written by the layer';
  if (isReservedKey(key)) return 'is reserved for the protocol';
  return isMetaKey(key) ? undefined : 'is not a valid key';
}
