/** Reads YAML or JSON and remembers where each value stands. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { ConfigError, type Problem } from './problem.js';

export interface ConfigDocument {
  readonly value: unknown;
  /** `gateway.yaml:12:5: upstreams.crm.stat: …` */
  describe(problem: Problem): string;
}

export function readDocument(text: string, file: string): ConfigDocument {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = counter.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) throw new ConfigError(document.errors.map(({ pos, message }) => `${place(pos[0])}: ${message}`));
  return {
    value: document.toJS(),
    describe: ({ path, text: problem, member }) => {
      const offset = offsetOf(document, path, member);
      return `${offset === undefined ? file : place(offset)}: ${[...path, ...(member === undefined ? [] : [member])].join('.')}: ${problem}`;
    },
  };
}

/** A configuration that a program built has no lines; its problems are named by their path alone. */
export function objectDocument(value: unknown): ConfigDocument {
  return {
    value: structuredClone(value),
    describe: ({ path, text, member }) => `${[...path, ...(member === undefined ? [] : [member])].join('.')}: ${text}`,
  };
}

function offsetOf(document: Document, path: readonly (string | number)[], member: string | undefined): number | undefined {
  let node: unknown = document.contents;
  let offset = (node as { range?: readonly number[] } | null)?.range?.[0];
  for (const name of member === undefined ? path : [...path, member]) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name)) : undefined;
    if (pair !== undefined) {
      offset = (pair.key as { range?: readonly number[] }).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
