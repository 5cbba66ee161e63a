import { LIST_METHODS } from '../../../wire/message.js';
import { compareLanguages, type GuardOptions, type Violation } from '../guard.js';
import { pagesOf } from './pages.js';

/** Sends one request to a server in one language, with a client or `fetch`. */
export type Ask = (method: string, params: object, language: string) => unknown;

/**
 * For tests of a server: requests every page of every list in each language and compares them. `await guardLanguages(ask, ['en', 'de'])`
 * resolves to the differences; a correct server has none. A list that the server does not have is skipped. Rejects if nothing was compared,
 * or if a method in `methods` got no answer: such a test could not fail.
 */
export async function guardLanguages(
  ask: Ask,
  languages: readonly string[],
  options: GuardOptions & { methods?: readonly string[] } = {},
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const [first = 'en', ...others] = new Set(languages);
  if (others.length === 0) throw new RangeError('guardLanguages: expected at least two languages to compare');
  const unanswered = new Map<string, unknown>();
  const methods = options.methods ?? LIST_METHODS;
  for (const method of methods) {
    const refused = (error: unknown): unknown => unanswered.set(method, error);
    const reference = await pagesOf((params) => ask(method, params, first), refused);
    let answers = reference.length;
    for (const language of others) {
      const found = await pagesOf((params) => ask(method, params, language), refused);
      answers += found.length;
      if (found.length !== reference.length)
        violations.push({ method, path: 'nextCursor', problem: `leads to ${found.length} pages in ${language}` });
      reference.forEach((page, index) => {
        for (const one of compareLanguages(method, page, found[index], options))
          violations.push({ ...one, problem: `${one.problem} (${first}, ${language})` });
      });
    }
    if (answers > 0) unanswered.delete(method);
  }
  const [missing, cause] = [...unanswered][0] ?? [];
  if (unanswered.size === methods.length || (options.methods !== undefined && unanswered.size > 0))
    throw new Error(`guardLanguages: got no answer to ${missing ?? 'any method'}`, { cause });
  return violations;
}
