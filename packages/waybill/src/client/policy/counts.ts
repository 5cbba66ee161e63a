import { originOf, POLICY_FIELDS, type PolicyField } from '../../wire/policy.js';

/** Counts how often one field was sent to one server, or withheld from it. */
export interface Count {
  readonly server: string | null;
  readonly field: PolicyField;
  readonly outcome: 'sent' | 'withheld';
  readonly precision: string | undefined;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** The counts of one principal, by server, field, outcome and precision. */
export type Counts = Map<string, Count>;

/** A principal with more entries than this loses the oldest. Each server has about ten. */
const MAX_ENTRIES = 4096;

export function addCount(counts: Counts, more: Count): void {
  const key = JSON.stringify([more.server, more.field, more.outcome, more.precision ?? null]);
  const known = counts.get(key);
  counts.set(
    key,
    known === undefined
      ? more
      : { ...known, count: known.count + more.count, first: Math.min(known.first, more.first), last: Math.max(known.last, more.last) },
  );
}

export function trim(counts: Counts): void {
  if (counts.size <= MAX_ENTRIES) return;
  const oldest = new Set(newest(counts).slice(MAX_ENTRIES / 2));
  for (const [key, count] of counts) if (oldest.has(count)) counts.delete(key);
}

export function newest(counts: Counts): Count[] {
  return [...counts.values()].sort((one, other) => other.last - one.last);
}

/** True if an entry is about this server, which is given by its name, its host or one of its addresses. */
export function isAbout({ server: name }: { readonly server: string | null }, server: string): boolean {
  if (name === server) return true;
  if (name === null || !/^https?:\/\//i.test(name) || !URL.canParse(name)) return false;
  if (/^https?:\/\//i.test(server)) return URL.canParse(server) && originOf(new URL(server)) === name;
  return new URL(name).hostname === server.toLowerCase();
}

/** Writes entries for a store, each as `[field, outcome, precision, count, first, last]`. */
export function writeCounts(counts: Iterable<Count>): string {
  return JSON.stringify(
    [...counts].map(({ field, outcome, precision, count, first, last }) => [field, outcome, precision ?? null, count, first, last]),
  );
}

/** Reads what `writeCounts` wrote, and skips what another program wrote. */
export function readCounts(server: string | null, text: string): Count[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown): Count[] => {
    if (!Array.isArray(row)) return [];
    const [field, outcome, precision, count, first, last] = row as unknown[];
    const isKnown = (POLICY_FIELDS as readonly unknown[]).includes(field) && (outcome === 'sent' || outcome === 'withheld');
    if (!isKnown || ![count, first, last].every((number) => typeof number === 'number')) return [];
    const numbers = { count: count as number, first: first as number, last: last as number };
    return [{ server, field: field as PolicyField, outcome, precision: typeof precision === 'string' ? precision : undefined, ...numbers }];
  });
}
