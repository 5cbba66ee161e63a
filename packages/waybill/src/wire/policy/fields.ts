import { PRECISIONS, type Precision } from '../environment.js';

// D-20
/** The words of a policy. The client, the gateway, the command and the page use these and no others. */
export const POLICY_FIELDS = ['language', 'timezone', 'now', 'locale', 'location', 'state', 'trace', 'baggage', 'capabilities'] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];

/** `always` sends a field, `never` removes it from every message, `ask` asks the user first. */
export type Level = 'always' | 'ask' | 'never';

export const LEVELS: readonly Level[] = ['always', 'ask', 'never'];

/** The fields that one server may know. A field that is not named here follows the next wider rule. */
export interface PolicyRules {
  readonly language?: Level;
  readonly timezone?: Level;
  readonly now?: Level;
  readonly locale?: Level;
  /** A precision means: always, and no finer than this. */
  readonly location?: Level | Precision;
  readonly state?: Level;
  readonly trace?: Level;
  /** A list of names means: always, and only these members. */
  readonly baggage?: Level | readonly string[];
  /** `minimal` declares only what the annotated tools of the server need. */
  readonly capabilities?: Level | 'minimal';
}

export interface Policy {
  /** The rule for every server and field that no rule of `servers` names. */
  readonly default?: PolicyRules;
  /** Rules by server: an address, a host, `*.domain`, or the name of a server behind a command such as `npm:@scope/server`. */
  readonly servers?: Readonly<Record<string, PolicyRules>>;
}

/** One level in any of its forms. */
export type FieldLevel = Level | Precision | 'minimal' | readonly string[];
/** The level of each field for one server. In place of `ask` stands what the user said, or `ask`, which then acts as `never`. */
export type PolicyLevels = Readonly<Record<PolicyField, FieldLevel>>;

export function passes(level: FieldLevel): boolean {
  return level !== 'never' && level !== 'ask';
}

export function isPrecision(level: FieldLevel): level is Precision {
  return (PRECISIONS as readonly FieldLevel[]).includes(level);
}

/** Several fields as one number: bit n stands for the field n of `POLICY_FIELDS`. Every message is tallied, so a tally must cost no list. */
export type FieldSet = number;

const BITS = Object.fromEntries(POLICY_FIELDS.map((field, at) => [field, 1 << at])) as Readonly<Record<PolicyField, FieldSet>>;

export function fieldsIn(set: FieldSet): readonly PolicyField[] {
  return POLICY_FIELDS.filter((field) => (set & BITS[field]) !== 0);
}

/** The fields of one message that left, and those that were kept from it. A baggage may be in both. */
export class PolicyTally {
  sentSet: FieldSet = 0;
  withheldSet: FieldSet = 0;
  /** The precision of a location that was sent. */
  precision: Precision | undefined = undefined;
  /** True if less was declared than the client can do. */
  isMinimal = false;

  get sent(): readonly PolicyField[] {
    return fieldsIn(this.sentSet);
  }

  get withheld(): readonly PolicyField[] {
    return fieldsIn(this.withheldSet);
  }

  /** Counts the field by its level, and tells whether it may leave. */
  count(field: PolicyField, level: FieldLevel): boolean {
    const leaves = passes(level);
    if (leaves) this.sentSet |= BITS[field];
    else this.withheldSet |= BITS[field];
    return leaves;
  }

  withhold(field: PolicyField): void {
    this.withheldSet |= BITS[field];
  }
}
