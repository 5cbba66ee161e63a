/** Reads YAML or JSON and remembers where each value stands. */
import { isMap, isScalar, isSeq, type Document } from 'yaml';
import type { Problem } from './problem.js';
import { parseText } from './syntax.js';

export interface ConfigDocument {
  readonly value: unknown;
  /** `gateway.yaml:12:5: upstreams.crm.stat: …` */
  describe(problem: Problem): string;
}

export function readDocument(text: string, file: string): ConfigDocument {
  const { document, value, place } = parseText(text, file);
  return {
    value,
    describe: (problem) => `${place(offsetOf(document, problem) ?? 0)}: ${described(problem)}`,
  };
}

/** A configuration that a program built has no lines; its problems are named by their path alone. */
export function objectDocument(value: unknown): ConfigDocument {
  return {
    value: structuredClone(value),
    describe: described,
  };
}

function described({ path, member, text }: Problem): string {
  const names = [...path, ...(member === undefined ? [] : [member])];
  return `${names.length === 0 ? 'the configuration' : names.join('.')}: ${text}`;
}

function offsetOf(document: Document, { path, member }: Problem): number | undefined {
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
