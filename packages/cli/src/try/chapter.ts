import type { ConcernName } from 'waybill';
import type { Connected, Stage } from './stage.js';
import { marked } from '../session/show.js';

/** A chapter shows the same call without and with its context, and the part of the message that made the difference. */
export interface Told {
  readonly call: string;
  readonly without: readonly string[];
  readonly with: readonly string[];
  readonly because: readonly (readonly [ConcernName, string, unknown])[];
  /** Commands that show the same. */
  readonly type: readonly string[];
  /** The mistakes in the result; none if the chapter holds. */
  readonly problems: readonly string[];
}

export interface Chapter {
  readonly title: string;
  readonly show: (stage: Stage) => Promise<Told>;
}

/** The parts of the last request of this method that belong to these concerns. */
export function because({ tap }: Connected, method: string, concerns: readonly ConcernName[]): Told['because'] {
  const sent = tap.crossings.findLast(({ direction, message }) => direction === 'sent' && message['method'] === method);
  return sent === undefined ? [] : marked(sent).filter(([concern]) => concerns.includes(concern));
}

/** Compares what came with what has to come. */
export function expecting(checks: Readonly<Record<string, readonly [unknown, unknown]>>): string[] {
  return Object.entries(checks).flatMap(([what, [came, due]]) =>
    JSON.stringify(came) === JSON.stringify(due) ? [] : [`${what}: expected ${JSON.stringify(due)}, got ${JSON.stringify(came)}`],
  );
}
