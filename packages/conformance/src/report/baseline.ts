/** Expected failures, in the format of the protocol's own suite: lists of `scenario` or `scenario:check` for each side. */
import { parse } from 'yaml';
import { concernOf, type CheckOutcome, type Role } from '../check.js';
import { isObject } from '../wire/json.js';

export class BaselineError extends Error {}

export function readBaseline(text: string, role: Role): string[] {
  let file: unknown;
  try {
    file = parse(text);
  } catch (error) {
    throw new BaselineError(`the baseline is no YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (file === null || file === undefined) return [];
  if (!isObject(file)) throw new BaselineError('the baseline: expected lists under server:, client: or gateway:');
  for (const [side, list] of Object.entries(file)) {
    if (!['server', 'client', 'gateway'].includes(side))
      throw new BaselineError(`the baseline: "${side}" is none of server, client, gateway`);
    if (list !== null && !(Array.isArray(list) && list.every((one) => typeof one === 'string')))
      throw new BaselineError(`the baseline: ${side}: expected a list of "scenario" or "scenario:check"`);
  }
  return (file[role] as string[] | null | undefined) ?? [];
}

interface Compared {
  /** Checks that fail and are not expected to. */
  readonly unexpected: string[];
  /** Entries that nothing fails for any more. */
  readonly stale: string[];
}

/**
 * `counts` says which failures fail the run: a warning does not, but an entry that names it is not stale. `selected`: only some checks were
 * run, and an entry that names none of them is not judged.
 */
export function compare(
  entries: readonly string[],
  outcomes: readonly CheckOutcome[],
  counts: (outcome: CheckOutcome) => boolean,
  selected: boolean,
): Compared {
  const failed = outcomes.filter(({ verdict }) => verdict === 'fail');
  const covers = (entry: string, check: string) => entry === check || entry === concernOf(check);
  const named = (check: string) => entries.some((entry) => covers(entry, check));
  const meets = (entry: string, some: readonly CheckOutcome[]) => some.some(({ check }) => covers(entry, check));
  return {
    unexpected: [...new Set(failed.filter(counts).map(({ check }) => check))].filter((check) => !named(check)),
    stale: entries.filter((entry) => !meets(entry, failed) && (!selected || meets(entry, outcomes))),
  };
}
