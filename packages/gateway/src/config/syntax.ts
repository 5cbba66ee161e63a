/** Reads the text of a configuration file, and says in words what is wrong with its YAML or JSON. */
import { isAlias, LineCounter, parseDocument, visit, type Document, type YAMLError } from 'yaml';
import { ConfigError } from './problem.js';

export interface Parsed {
  readonly document: Document;
  readonly value: unknown;
  /** `gateway.yaml:12:5` */
  readonly place: (offset: number) => string;
}

/** Lines whose first mistake is told. Mistakes of another kind mostly follow from the first one. */
const MAX_LINES = 3;

export function parseText(given: string, file: string): Parsed {
  const text = withoutComments(given);
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, merge: true });
  const place = (offset: number): string => {
    const { line, col } = counter.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const fail = (offset: number, problem: string): never => {
    throw new ConfigError([`${place(offset)}: ${problem}`]);
  };
  // U+FFFD replaces bytes that are not UTF-8. A NUL stands between the letters of UTF-16.
  const noText = /[\0\uFFFD]/.exec(text);
  if (noText !== null) fail(noText.index, 'is not UTF-8 text; save the file in that encoding');
  if (/\.toml$/i.test(file)) fail(0, 'is TOML; write its servers as `upstreams` of a YAML file');
  const mistakes = new Map<number, string>();
  const errors = [...document.errors, ...document.warnings];
  for (const error of errors) {
    const { line } = counter.linePos(error.pos[0]);
    if (error.code === errors[0]?.code && !mistakes.has(line)) mistakes.set(line, `${place(error.pos[0])}: ${wordsOf(error, text)}`);
  }
  if (mistakes.size > 0) throw new ConfigError([...mistakes.values()].slice(0, errors[0]?.code === 'UNEXPECTED_TOKEN' ? 1 : MAX_LINES));
  checkAliases(document, fail);
  try {
    return { document, place, value: document.toJS() as unknown };
  } catch (error) {
    // Aliases that multiply are found only when the value is made.
    throw new ConfigError([`${file}: ${(error as Error).message}`]);
  }
}

function wordsOf({ code, message, pos: [start, end] }: YAMLError, text: string): string {
  const found = text.slice(start, end);
  if (code === 'DUPLICATE_KEY')
    return `${/^(?:"[^"]*"|'[^']*'|[^\s:]+)/.exec(text.slice(start))?.[0] ?? 'this name'} stands here a second time`;
  if (code === 'TAB_AS_INDENT') return 'a tab; YAML is indented with blanks';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; remove --- and what follows';
  if (code === 'TAG_RESOLVE_FAILED') return `the tag ${found} is not known; write the value itself, or \${VARIABLE}`;
  if (message.startsWith('Maximum call stack')) return 'is nested too deeply';
  if (text[start - 1] === '$' && found === '{') return 'put a value with ${…} in quotes';
  return message;
}

/** An alias must lead to an anchor before it, and not to a value that it is a part of. */
function checkAliases(document: Document, fail: (offset: number, problem: string) => never): void {
  visit(document, {
    Alias(_, alias, ancestors) {
      const to = alias.resolve(document);
      const at = alias.range?.[0] ?? 0;
      if (to === undefined) fail(at, `there is no anchor &${alias.source} before this alias`);
      if (ancestors.some((one) => one === to)) fail(at, `the alias *${alias.source} stands inside its own anchor`);
      if (isAlias(to)) fail(at, `the alias *${alias.source} leads to another alias`);
    },
  });
}

/** JSON files of hosts may have comments. They become blanks, so that every other letter keeps its place. YAML has comments of its own. */
function withoutComments(text: string): string {
  if (!/^\s*(?:\{|\/\/|\/\*)/.test(text)) return text;
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|(?<=^|[\s,[\]{}])(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g, (found) =>
    found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' '),
  );
}
