import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { isObject } from '../../wire/json.js';
import { checkPolicy } from '../../wire/policy.js';
import type { ClientPolicy } from '../policy.js';
import { policy, type PolicyOptions } from '../policy/open.js';
import { stdioIdentity } from './stdio.js';

/**
 * Reads a policy from a YAML or JSON file: `clientContext({ policy: policyFile('policy.yaml', { ask }) })`. The file is read once. A mistake
 * in it is an error that names file, line and column. Servers behind commands are named by `stdioIdentity()` unless `stdio` says otherwise.
 */
export function policyFile(path: string, options: PolicyOptions = {}): ClientPolicy {
  if (typeof path !== 'string' || path === '') throw new TypeError('policyFile: expected a path');
  return policy(readPolicyFile(path), { stdio: stdioIdentity(), ...options });
}

/** Returns the checked content of a policy file. */
function readPolicyFile(path: string): Parameters<typeof policy>[0] & object {
  const text = readText(path);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [broken] = [...document.errors, ...document.warnings];
  if (broken !== undefined) {
    const problem = broken.code === 'MULTIPLE_DOCS' ? 'expected one document' : oneLine(broken.message);
    throw new SyntaxError(`${at(path, lines, broken.pos[0])}: ${problem}`, { cause: broken });
  }
  const found = valueOf(document, (offset) => at(path, lines, offset));
  if (!isObject(found)) throw new TypeError(`${path}:1:1: expected default and servers`);
  // Editors find the schema by this member.
  const { $schema: _, ...content } = found;
  try {
    checkPolicy(content, 'policy');
  } catch (error) {
    const { message } = error as Error;
    throw new RangeError(`${at(path, lines, offsetOf(document, message))}: ${message.replace(/^policy\.?/, '').replace(/^: /, '')}`, {
      cause: error,
    });
  }
  return content;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`policyFile: ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Aliases are followed only when the value is made. */
function valueOf(document: Document, place: (offset: number) => string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    let offset = 0;
    visit(document, {
      Alias(_, alias) {
        offset = rangeOf(alias) ?? 0;
        // The first alias without an anchor; of too many aliases, the last one.
        return alias.resolve(document) === undefined ? visit.BREAK : undefined;
      },
    });
    throw new SyntaxError(`${place(offset)}: ${oneLine((error as Error).message)}`, { cause: error });
  }
}

function at(path: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${path}:${line}:${col}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the offset of the member that an error names by its path. */
function offsetOf(document: Document, message: string): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const name of stepsIn(message)) {
    if (!isMap(node)) break;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair === undefined) break;
    offset = rangeOf(pair.key) ?? offset;
    node = pair.value;
  }
  return offset;
}

function rangeOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0];
}

/** `policy.servers["a.b"].location: …` → servers, a.b, location. */
function stepsIn(message: string): string[] {
  const steps: string[] = [];
  for (let rest = message.replace(/^policy/, ''); ;) {
    const named = /^\.([^.[\]:\s]+)/.exec(rest);
    const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(rest);
    if (named?.[1] !== undefined) steps.push(named[1]);
    else if (quoted?.[1] !== undefined) steps.push(JSON.parse(`"${quoted[1]}"`) as string);
    else return steps;
    rest = rest.slice((named ?? quoted)?.[0].length);
  }
}
