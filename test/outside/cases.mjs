import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** Reads the rows of a case file: one JSON object for each line. */
export function rows(dir, file) {
  const text = readFileSync(path.join(dir, file), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line));
}

/** Runs one check for each row; a check returns what is wrong, or nothing. */
export async function tally(part, cases, check) {
  const failures = [];
  for (const one of cases) {
    try {
      const wrong = await check(one);
      if (wrong !== undefined) failures.push(`${one.id}: ${wrong}`);
    } catch (error) {
      failures.push(`${one.id}: threw ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return { part, passed: cases.length - failures.length, failures };
}

export const same = isDeepStrictEqual;

/** Every value that a program could write into a message. */
export const context = {
  request: {
    language: 'fr-CH, fr;q=0.9',
    environment: { timezone: 'Europe/Zurich', locale: 'fr-CH', location: { country: 'CH' } },
    state: { session: new Map([['cart', { items: [1] }]]), server: new Map([['id', 'x']]) },
    trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'v=1', baggage: 'k=v' },
    capabilities: { elicitation: { form: {} } },
    meta: { 'com.example/correlation': 'abc' },
  },
  notification: { language: 'fr', trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } },
  result: { language: 'fr', state: { session: new Map([['cart', null]]) } },
  error: { language: 'fr' },
};
