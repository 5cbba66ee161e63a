/** ARGS of a command line: `name=value`, `name:=JSON`, one JSON object, `@FILE`, or `-` for stdin. Single names win over objects. */
import { text } from 'node:stream/consumers';
import { usage } from '../failure.js';
import { parseJson, readTextFile } from '../json.js';
import { coerce, isList, type Schema } from './coerce.js';

export async function parseArguments(words: readonly string[], schema: Schema): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  const single: Record<string, unknown> = {};
  for (const word of words) {
    if (word === '-') Object.assign(whole, objectOf(await text(process.stdin), 'stdin'));
    else if (word.startsWith('@')) Object.assign(whole, objectOf(await readTextFile(word.slice(1)), word.slice(1)));
    else if (word.trimStart().startsWith('{')) Object.assign(whole, objectOf(word, 'ARGS'));
    else addSingle(word, schema, single);
  }
  return { ...whole, ...single };
}

function objectOf(text: string, source: string): object {
  const value = parseJson(text, source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usage(`${source}: expected one JSON object`);
  return value;
}

function addSingle(word: string, schema: Schema, single: Record<string, unknown>): void {
  const [, name, operator, value] = /^([^=:]+?)(:?=)(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined)
    throw usage(`"${word}" is not an argument`, 'Write name=value, name:=JSON, one JSON object, @FILE, or - for stdin.');
  const own = schema.properties?.[name];
  const given = operator === ':=' ? parseJson(value, name) : coerce(value, own, schema);
  // A list takes its name more than once.
  const before = single[name];
  single[name] = operator === '=' && Array.isArray(before) && isList(own, schema) ? (before as unknown[]).concat(given) : given;
}
