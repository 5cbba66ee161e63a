/** Outcomes of checks become one row for each requirement, revision and transport. */
import type { CheckOutcome, Status } from '../check.js';
import { type Level, requirementById, REQUIREMENTS } from '../requirements.js';
import type { Exchange } from '../wire/exchange.js';
import type { Path } from '../wire/json.js';

export interface Row {
  readonly id: string;
  readonly level: Level;
  readonly revision: string;
  readonly transport: string;
  readonly status: Status;
  readonly observed: string;
  readonly exchange?: Exchange;
  readonly mark?: Path;
}

export interface Report {
  readonly report: 1;
  readonly subject: string;
  readonly summary: Readonly<Record<Status, number>>;
  readonly requirements: readonly Row[];
}

const order = new Map(REQUIREMENTS.map(({ id }, index) => [id, index]));
const severity = { fail: 2, pass: 1, notApplicable: 0 };

/** `wanted`: only these requirements get a row; a check may prove more than one. */
export function fold(subject: string, outcomes: readonly CheckOutcome[], strict: boolean, wanted: ReadonlySet<string> = new Set()): Report {
  const worst = new Map<string, { id: string; outcome: CheckOutcome }>();
  for (const outcome of outcomes)
    for (const id of outcome.proves) {
      if (wanted.size > 0 && !wanted.has(id)) continue;
      const key = `${outcome.revision} ${outcome.transport} ${id}`;
      const known = worst.get(key);
      if (known === undefined || severity[outcome.verdict] > severity[known.outcome.verdict]) worst.set(key, { id, outcome });
    }
  const rows = [...worst.values()].map(({ id, outcome }) => row(id, outcome, strict));
  rows.sort(
    (one, other) =>
      other.revision.localeCompare(one.revision) ||
      one.transport.localeCompare(other.transport) ||
      (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0),
  );
  const summary = { pass: 0, fail: 0, warn: 0, notApplicable: 0 };
  for (const { status } of rows) summary[status]++;
  return { report: 1, subject, summary, requirements: rows };
}

/** A broken SHOULD warns, unless the user is strict or demands it. */
export const fails = (id: string, strict: boolean, demanded = false): boolean =>
  strict || demanded || requirementById.get(id)?.level.startsWith('MUST') !== false;

function row(id: string, outcome: CheckOutcome, strict: boolean): Row {
  const { check, revision, transport, verdict, observed, exchange, mark, demanded } = outcome;
  const level = requirementById.get(id)?.level ?? 'MUST';
  const failed = fails(id, strict, demanded) ? 'fail' : 'warn';
  return {
    ...{ id, level, revision, transport },
    status: verdict === 'fail' ? failed : verdict,
    observed: verdict === 'fail' ? `${check}: ${observed}` : observed,
    ...(verdict === 'fail' && exchange && { exchange }),
    ...(verdict === 'fail' && mark && { mark }),
  };
}
