/** Shared by the checks of language: asking in a language, and reading the report. */
import { expect } from '../../../check.js';
import { expectResult, languageOf } from '../../../runner/servers.js';
import type { Exchange } from '../../../wire/exchange.js';
import { type Message, short } from '../../../wire/json.js';
import { CONTENT_LANGUAGE, FORM } from '../../../wire/keys.js';
import { listOf, needTool, type ServerTrial, speaker, twoLanguages } from '../trial.js';

/** Klingon: a valid tag that no server is expected to have. */
export const NOBODY = 'tlh';
export const REPORT = ['answer', 'result', '_meta', CONTENT_LANGUAGE] as const;

/** The server answers this preference in this language. */
export async function expectLanguage(trial: ServerTrial, preference: string, expected: string): Promise<Exchange> {
  const answered = await speaker(trial)({ language: preference });
  expectResult(answered, `asked for ${preference}`);
  const reported = languageOf(answered);
  expect(reported === expected, `asked for "${preference}", expected ${expected}, reported ${short(reported)}`, answered, REPORT);
  return answered;
}

/** The same language range in another case. */
export const otherCase = (tag: string): string => (tag === tag.toUpperCase() ? tag.toLowerCase() : tag.toUpperCase());

/** A language of the server that is not its default, so that an answer in it shows that somebody asked for it. */
export async function notDefault(trial: ServerTrial): Promise<string> {
  const [first, second] = twoLanguages(trial);
  const fallback = languageOf(await speaker(trial)({ language: NOBODY }));
  return fallback === second ? first : second;
}

/** The same list in two languages. A server without tools has no titles of them. */
export async function listsIn(trial: ServerTrial, method = 'tools/list'): Promise<[Exchange, Exchange]> {
  const [first, second] = twoLanguages(trial);
  const listed = async (language: string) => {
    const list = await listOf(trial, method, { language });
    expectResult(list, `${method} in ${language}`);
    return list;
  };
  return [await listed(first), await listed(second)];
}

/** A call that reports progress in a language. */
export async function stepsIn(trial: ServerTrial, language: string): Promise<{ called: Exchange; progress: readonly Message[] }> {
  needTool(trial, 'check_language', 'the check needs a tool that reports progress');
  const called = await trial.peer.call('check_language', { steps: 2 }, { language, meta: { progressToken: `p-${language}` } });
  expectResult(called, 'check_language {"steps":2}');
  return { called, progress: called.others.filter((one) => one['method'] === 'notifications/progress') };
}

/** A call that asks the user something in a language. */
export const askIn = ({ peer }: ServerTrial, language: string): Promise<Exchange> =>
  peer.call('check_ask', {}, { language, capabilities: FORM });
