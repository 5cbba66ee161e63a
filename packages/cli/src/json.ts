import { readFile } from 'node:fs/promises';
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { usage } from './failure.js';

/** Parses JSON that a person wrote. A mistake is shown with its place. `comments` also allows trailing commas: files of some hosts have both. */
export function parseJson(text: string, source: string, { comments = false }: { readonly comments?: boolean } = {}): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: !comments, allowTrailingComma: comments, allowEmptyContent: false });
  const [first] = errors;
  if (first === undefined) return value;
  // A text that ends too early is marked after its last character, not on the empty line below.
  const place = Math.min(first.offset, text.trimEnd().length);
  throw usage(`${source}: is not JSON\n${markPlace(text, place, wordsOf(printParseErrorCode(first.error)))}`);
}

/** `ValueExpected` → "value expected". */
const wordsOf = (code: string): string => code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** The line with the mistake, and a mark below the place. */
function markPlace(text: string, offset: number, problem: string): string {
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length;
  const line = text.split('\n')[before.length - 1] ?? '';
  const from = Math.max(0, column - 60);
  return `  ${line.slice(from, from + 76)}\n  ${' '.repeat(column - from)}^ line ${before.length}, column ${column + 1}: ${problem}`;
}

export async function readTextFile(path: string, hint?: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usage(`${path}: ${reasonOf(error)}`, hint);
  }
}

export const readJsonFile = async (path: string): Promise<unknown> => parseJson(await readTextFile(path), path);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder, not a file',
  EACCES: 'may not be read or written by this user',
  EROFS: 'the disk cannot be written',
  ENOSPC: 'the disk is full',
};

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
