/**
 * TRACE-15: forwards keys of `_meta` as headers of an outbound HTTP request. There is no standard; the design follows SEP-2028, a draft without
 * a sponsor. Headers that belong together form a group with one policy, and only headers of a group are forwarded. The checks run in the order
 * of the proposal: characters and sizes, validators, required headers, then the policy. Invalid values are dropped silently.
 */
import { quote } from '../check.js';
import { TOKEN } from '../headers.js';
import { own, type Meta } from '../json.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../keys.js';
import { parseTraceparent } from './traceparent.js';
import { isTracestate } from './tracestate.js';

/**
 * `clear-and-use-meta`: if `_meta` has any header of the group, all of them come from there. `prefer-meta`: each header by itself.
 * `ignore-meta`: nothing is forwarded.
 */
export type ForwardPolicy = 'clear-and-use-meta' | 'prefer-meta' | 'ignore-meta';

export interface HeaderGroup {
  readonly policy: ForwardPolicy;
  /** Keys of `_meta`, which are also the names of the headers. */
  readonly headers: readonly string[];
  /** If one of these is missing, the group is not forwarded. */
  readonly required?: readonly string[];
  readonly validators?: Readonly<Record<string, (value: string) => boolean>>;
}

export interface ForwardOptions {
  /** Changes to the two built-in groups, and further groups. */
  readonly groups?: Readonly<Record<string, Partial<HeaderGroup>>>;
  /** The longest value, and all values together. The defaults are the limits of the proposal. */
  readonly maxValue?: number;
  readonly maxTotal?: number;
}

const forwardGroups: Readonly<Record<'trace-context' | 'baggage', HeaderGroup>> = {
  'trace-context': {
    policy: 'clear-and-use-meta',
    headers: [TRACEPARENT, TRACESTATE],
    required: [TRACEPARENT],
    validators: { [TRACEPARENT]: (value) => parseTraceparent(value) !== undefined, [TRACESTATE]: isTracestate },
  },
  baggage: { policy: 'prefer-meta', headers: [BAGGAGE] },
};

/** Headers as an object or as pairs, `Headers` included. */
export type HeaderPairs = Readonly<Record<string, string>> | Iterable<readonly [name: string, value: string]>;

const POLICIES: readonly string[] = ['clear-and-use-meta', 'prefer-meta', 'ignore-meta'];
/** Headers that `_meta` must never set, in any configuration. */
const NEVER =
  /^(?:authorization|cookie|set-cookie|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-.*|proxy-.*|sec-.*)$/i;

/** Returns the headers of an outbound request: its own, plus those that `_meta` adds or replaces. */
export function forwardHeaders(meta: Meta, existing: HeaderPairs = {}, options: ForwardOptions = {}): Record<string, string> {
  const { maxValue = 256, maxTotal = 8192 } = options;
  const headers = new Map<string, { name: string; value: string }>();
  for (const [name, value] of Symbol.iterator in existing ? existing : Object.entries(existing)) {
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), { name: before?.name ?? name, value: before === undefined ? value : `${before.value}, ${value}` });
  }
  let total = 0;
  for (const { policy, headers: names, required = [], validators = {} } of groupsOf(options)) {
    if (policy === 'ignore-meta') continue;
    const found = names.flatMap((name) => {
      const value = own(meta, name);
      const check = Object.hasOwn(validators, name) ? validators[name] : undefined;
      // D-35: a promise or any other truthy value is not a yes.
      return isFit(value, maxValue) && (check === undefined || (check(value) as unknown) === true) ? [[name, value] as const] : [];
    });
    if (found.length === 0 || !required.every((name) => found.some(([other]) => other === name))) continue;
    const size = found.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    if (total + size > maxTotal) continue;
    total += size;
    if (policy === 'clear-and-use-meta') for (const name of names) headers.delete(name.toLowerCase());
    for (const [name, value] of found) headers.set(name.toLowerCase(), { name, value });
  }
  return Object.fromEntries([...headers.values()].map(({ name, value }) => [name, value]));
}

function groupsOf({ groups = {} }: ForwardOptions): HeaderGroup[] {
  const all: Record<string, HeaderGroup> = { ...forwardGroups };
  for (const [name, group] of Object.entries(groups)) {
    const merged = { ...(Object.hasOwn(all, name) ? all[name] : undefined), ...group };
    const headers: readonly string[] | undefined = merged.headers;
    if (!Array.isArray(headers)) throw new TypeError(`groups.${name}.headers: expected a list`);
    if (!POLICIES.includes(merged.policy ?? '')) throw new RangeError(`groups.${name}.policy: expected one of ${POLICIES.join(', ')}`);
    const bad = (headers as readonly string[]).find((header) => !TOKEN.test(header) || NEVER.test(header));
    if (bad !== undefined) throw new RangeError(`groups.${name}.headers: expected headers that may be forwarded, got ${quote(bad)}`);
    all[name] = merged as HeaderGroup;
  }
  return Object.values(all);
}

/** True for visible ASCII and blanks: nothing that could end a header and begin another. */
function isFit(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longest && /^[\x20-\x7e]*$/.test(value);
}
