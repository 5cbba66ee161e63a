import { POLICY_FIELDS, type FieldLevel, type Policy, type PolicyField, type PolicyLevels, type PolicyRules } from './fields.js';
import { checkPolicy } from './check.js';
import { serverPattern, type ServerNames } from './servers.js';

/**
 * The decision for one field of one server, and the rule behind it: `servers["*.corp.example"].location`. Without a rule nothing was
 * configured.
 */
export interface PolicyDecision {
  readonly level: FieldLevel;
  readonly rule: string | undefined;
}
export type PolicyDecisions = Readonly<Record<PolicyField, PolicyDecision>>;

/** A policy that was checked, ready to be asked about servers. */
export interface PolicyBook {
  decide(server: ServerNames): PolicyDecisions;
  /** Every name that some list of baggage allows. */
  readonly baggage: readonly string[];
  /** True if a rule is for a server behind a command, which only a name tells apart. */
  readonly namesCommands: boolean;
}

interface Entry {
  /** 2: names the server. 1: a pattern. 0: the default. */
  readonly rank: number;
  readonly path: string;
  readonly rules: PolicyRules;
  matches(server: ServerNames): boolean;
}

/** Checks a policy and makes it ready. Throws as `checkPolicy` does. */
export function readPolicy(policy: unknown, path = 'policy'): PolicyBook {
  checkPolicy(policy, path);
  const entries = entriesOf(policy);
  return {
    decide: (server) => decideFor(server, entries),
    baggage: [...new Set(entries.flatMap(({ rules }) => (typeof rules.baggage === 'object' ? rules.baggage : [])))],
    namesCommands: Object.keys(policy.servers ?? {}).some((key) =>
      /^(?:npm|pypi|image|python-module|command):|^[/\\]|^[a-z]:[/\\]/i.test(key),
    ),
  };
}

function entriesOf({ default: base, servers = {} }: Policy): Entry[] {
  const entries: Entry[] = Object.entries(servers).map(([key, rules]) => {
    const pattern = serverPattern(key);
    const path = `servers[${JSON.stringify(key)}]`;
    return { rank: pattern.isExact ? 2 : 1, path, rules, matches: (server) => pattern.matches(server) };
  });
  if (base !== undefined) entries.push({ rank: 0, path: 'default', rules: base, matches: () => true });
  return entries;
}

function decideFor({ claimed, ...server }: ServerNames, entries: readonly Entry[]): PolicyDecisions {
  const decisions = decide(entries.filter((entry) => entry.matches(server)));
  if (claimed === undefined) return decisions;
  const others = decide(entries.filter((entry) => entry.matches({ ...server, names: [...server.names, claimed] })));
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, stricter(decisions[field], others[field])])) as unknown as PolicyDecisions;
}

const NOTHING_SAID: PolicyDecision = { level: 'always', rule: undefined };

/** Field by field: the rules of the highest rank that name it, and of those the strictest. */
function decide(entries: readonly Entry[]): PolicyDecisions {
  const decisions: Partial<Record<PolicyField, PolicyDecision>> = {};
  for (const field of POLICY_FIELDS) {
    const naming = entries.filter(({ rules }) => rules[field] !== undefined);
    const highest = Math.max(...naming.map(({ rank }) => rank));
    const equal = naming.filter(({ rank }) => rank === highest);
    const [first, ...others] = equal.map(({ rules, path }) => ({ level: rules[field] as FieldLevel, rule: `${path}.${field}` }));
    decisions[field] = first === undefined ? NOTHING_SAID : others.reduce<PolicyDecision>(stricter, first);
  }
  return decisions as PolicyDecisions;
}

/** `never` before `ask` before `always`; between them the coarser place, and of two lists of baggage the names in both. */
const ORDER: readonly FieldLevel[] = ['never', 'ask', 'country', 'region', 'city', 'coordinates', 'minimal'];

function stricter(one: PolicyDecision, other: PolicyDecision): PolicyDecision {
  if (Array.isArray(one.level) && Array.isArray(other.level)) {
    const names: readonly string[] = other.level;
    return { level: one.level.filter((name: string) => names.includes(name)), rule: one.rule };
  }
  return strictness(other.level) < strictness(one.level) ? other : one;
}

function strictness(level: FieldLevel): number {
  if (level === 'always') return ORDER.length;
  const at = ORDER.indexOf(level);
  return at < 0 ? 2 : at;
}

/** Rules for one server alone, as a gateway has them for an upstream. */
export function decisionsOf(rules: PolicyRules, path: string): PolicyDecisions {
  return decide([{ rank: 0, path, rules, matches: () => true }]);
}

export function levelsOf(decisions: PolicyDecisions): PolicyLevels {
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, decisions[field].level])) as unknown as PolicyLevels;
}
