/** Checks as a table: each id stands once, and its status follows the keyword of the sentence that it tests. */
import type { CheckStatus, ConformanceCheck } from '../types.js';

export interface Declared<T, R = string | undefined> {
  id: string;
  name: string;
  description: string;
  level: 'MUST' | 'SHOULD';
  /** Gives what was wrong, or nothing. */
  test: (subject: T) => R;
}

export interface Reference {
  id: string;
  url: string;
}

/** The reason why a check does not apply to this subject. */
export class NotApplicable extends Error {}

export function judge<T>(declared: readonly Declared<T>[], subject: T, reference: Reference): ConformanceCheck[] {
  return declared.map((one) => {
    try {
      return checkOf(one, reference, one.test(subject));
    } catch (error) {
      return checkOf(one, reference, error);
    }
  });
}

export async function judgeInTurn<T>(
  declared: readonly Declared<T, Promise<string | undefined>>[],
  subject: T,
  reference: Reference,
): Promise<ConformanceCheck[]> {
  const checks: ConformanceCheck[] = [];
  for (const one of declared) checks.push(checkOf(one, reference, await one.test(subject).catch((error: unknown) => error)));
  return checks;
}

/** `outcome`: nothing, what was wrong, or an error that ended the test. */
function checkOf({ id, name, description, level }: Declared<never, unknown>, reference: Reference, outcome: unknown): ConformanceCheck {
  const broken = level === 'MUST' ? 'FAILURE' : 'WARNING';
  const status: CheckStatus = outcome === undefined ? 'SUCCESS' : outcome instanceof NotApplicable ? 'SKIPPED' : broken;
  const errorMessage = outcome instanceof Error ? outcome.message : typeof outcome === 'string' ? outcome : undefined;
  return {
    ...{ id, name, description, status, timestamp: new Date().toISOString(), specReferences: [reference] },
    ...(errorMessage !== undefined && { errorMessage }),
  };
}
