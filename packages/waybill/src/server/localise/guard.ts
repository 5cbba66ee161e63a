/**
 * LANG-33, D-11: compares two answers to the same request in two languages, and finds every difference that the table of translatable fields
 * does not allow.
 */
import { isObject, own } from '../../wire/json.js';
import { CONTENT_LANGUAGE, SERVER_INFO } from '../../wire/keys.js';
import { translationRule, type TranslatedType } from '../../wire/language.js';
import { keep } from '../../wire/memo.js';
import { LISTS } from './fields.js';
import { keyMatcher } from './keys.js';

export interface Violation {
  readonly method: string;
  /** `tools[2].name` */
  readonly path: string;
  readonly problem: string;
}

export interface GuardOptions {
  /** The fields that `serverContext({ localise: { translate } })` names. */
  readonly translate?: readonly string[];
}

type Step = string | number;

/** Finds every place where `other` differs from `reference` and must not. Both are results of `method`. */
export function compareLanguages(method: string, reference: unknown, other: unknown, { translate = [] }: GuardOptions = {}): Violation[] {
  const violations: Violation[] = [];
  const chosen = keyMatcher(translate);
  const allowed = (path: readonly Step[]): boolean => {
    const [type, inner, prefix] = placeOf(method, path, reference);
    if (type === undefined) return path.length === 2 && path[0] === '_meta' && path[1] === CONTENT_LANGUAGE;
    const rule = translationRule(type, inner);
    return rule === 'should' || (rule === 'may' && chosen([prefix, ...namedSteps(inner, path, reference)].join('.')));
  };
  walk(reference, other, [], allowed, (path, problem) => violations.push({ method, path: textOf(path), problem }));
  return violations;
}

/** Walks without recursion: a schema may be nested deeper than the call stack. */
function walk(
  a: unknown,
  b: unknown,
  start: readonly Step[],
  allowed: (path: readonly Step[]) => boolean,
  tell: (path: readonly Step[], problem: string) => void,
): void {
  const open: [unknown, unknown, readonly Step[]][] = [[a, b, start]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [left, right, path] = next;
    if (Object.is(left, right)) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) tell(path, `has ${right.length} elements instead of ${left.length}`);
      else left.forEach((item: unknown, at) => open.push([item, right[at], [...path, at]]));
    } else if (isObject(left) && isObject(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
        open.push([own(left, name), own(right, name), [...path, name]]);
    } else if (isText(left) && isText(right) && allowed(path)) continue;
    // A text that only one language has may bring the object around it.
    else if (isWrapped(left, right, path, allowed)) continue;
    else tell(path, left === undefined ? 'is there in one language only' : right === undefined ? 'is missing in one language' : 'differs');
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value === undefined;
}

/** True for an object of allowed texts that one side lacks: `annotations: { title }`. */
function isWrapped(left: unknown, right: unknown, path: readonly Step[], allowed: (path: readonly Step[]) => boolean): boolean {
  const there = left ?? right;
  if ((left !== undefined && right !== undefined) || !isObject(there)) return false;
  const members = Object.entries(there);
  return members.length > 0 && members.every(([name, value]) => typeof value === 'string' && allowed([...path, name]));
}

/** Returns the type of the object that a path leads into, the path inside it, and the key of that object. */
function placeOf(method: string, path: readonly Step[], result: unknown): [TranslatedType | undefined, readonly Step[], string] {
  const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
  if (list !== undefined && path[0] === list.member && typeof path[1] === 'number') {
    const item = at(result, path.slice(0, 2));
    return [list.type, path.slice(2), `${list.root}.${isObject(item) ? String(item['name']) : ''}`];
  }
  if (path[0] === '_meta' && path[1] === SERVER_INFO) return ['Implementation', path.slice(2), 'server'];
  if (method === 'initialize' || method === 'server/discover') {
    if (path[0] === 'serverInfo') return ['Implementation', path.slice(1), 'server'];
    if (path[0] === 'instructions') return ['InitializeResult', path, 'server'];
  }
  return [undefined, path, ''];
}

/** Replaces the index of a list element by its name, as keys do. */
function namedSteps(inner: readonly Step[], path: readonly Step[], result: unknown): Step[] {
  const before = path.length - inner.length;
  return inner.map((step, index) => {
    const item = typeof step === 'number' ? at(result, path.slice(0, before + index + 1)) : undefined;
    return isObject(item) && typeof item['name'] === 'string' ? item['name'] : step;
  });
}

function at(value: unknown, path: readonly Step[]): unknown {
  let inner: unknown = value;
  for (const step of path)
    inner = Array.isArray(inner) ? (inner as unknown[])[Number(step)] : isObject(inner) ? own(inner, String(step)) : undefined;
  return inner;
}

function textOf(path: readonly Step[]): string {
  return (
    path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, '') || '(the result)'
  );
}

/** The number of requests whose answers are remembered. A client chooses cursors and capabilities, so it must not fill the memory. */
const MAX_ANSWERS = 100;

/** In development: remembers one answer for each request, and finds where the answer in another language differs from it. */
export class RuntimeGuard {
  readonly #answers = new Map<string, { language: string; result: unknown }>();
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  check(method: string, question: string, language: string, result: unknown): Violation[] {
    const key = `${method} ${question}`;
    const before = this.#answers.get(key);
    if (before !== undefined && before.language !== language) return compareLanguages(method, before.result, result, this.#options);
    keep(this.#answers, key, { language, result }, MAX_ANSWERS);
    return [];
  }

  /** Call when the list itself changed: remembered answers are outdated. */
  forget(): void {
    this.#answers.clear();
  }
}
