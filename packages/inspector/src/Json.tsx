/** JSON as text, with the keys of each concern coloured. Text of a server is only ever text: Preact escapes it. */
import type { ComponentChildren, VNode } from 'preact';
import { tryJson } from '../../cli/src/tryJson.js';
import { concernOf } from './concerns.js';

/** Longer texts are cut, so that one line cannot fill the page. */
const MAX_TEXT = 20_000;
/** The browser draws no more members than this, however they are nested; the saved log has all. */
const MAX_MEMBERS = 3000;
const MAX_DEPTH = 50;

export const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

export function Json({ value }: { readonly value: unknown }): VNode {
  return (
    <pre class="json" dir="ltr">
      {drawn(value, 0, { left: MAX_MEMBERS })}
    </pre>
  );
}

function drawn(value: unknown, depth: number, budget: { left: number }): ComponentChildren {
  if (typeof value === 'string') return <span class="text">{JSON.stringify(cut(value))}</span>;
  if (typeof value !== 'object' || value === null) return <span class="scalar">{String(value)}</span>;
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  if (depth >= MAX_DEPTH) return `${open} … ${close}`;
  const indent = '  '.repeat(depth);
  const lines: ComponentChildren[] = [];
  for (const [at, [key, each]] of members.entries()) {
    if (budget.left-- <= 0) {
      lines.push(`\n${indent}  … ${members.length - at}`);
      break;
    }
    const concern = isList ? undefined : concernOf(key);
    lines.push(
      `\n${indent}  `,
      <span key={at} class={concern === undefined ? '' : `concern ${concern}`}>
        {!isList && <span class="key">{JSON.stringify(key)}: </span>}
        {drawn(each, depth + 1, budget)}
      </span>,
      at < members.length - 1 ? ',' : '',
    );
  }
  return [open, ...lines, `\n${indent}${close}`];
}

/** The text direction follows the text itself, so that Arabic reads right inside an English page. */
export function Prose({ text }: { readonly text: string }): VNode {
  return (
    <div class="prose" dir="auto">
      {cut(text)}
    </div>
  );
}

/** A text that holds a JSON object or list as the value; nothing for every other text. */
export function jsonIn(text: string): object | undefined {
  return /^\s*[{[]/.test(text) ? (tryJson(text) as object | undefined) : undefined;
}
