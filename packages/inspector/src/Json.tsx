/** JSON as text, with the keys of each concern coloured. Text of a server is only ever text: Preact escapes it. */
import type { VNode } from 'preact';
import { concernOf } from './concerns.js';

/** Longer texts are cut, so that one line cannot fill the page. */
const MAX_TEXT = 20_000;

export function Json({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): VNode {
  if (typeof value === 'string')
    return <span class="text">{JSON.stringify(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value)}</span>;
  if (typeof value !== 'object' || value === null) return <span class="scalar">{String(value)}</span>;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((each: unknown, index) => [String(index), each] as const)
    : Object.entries(value as Record<string, unknown>);
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return <span>{`${open}${close}`}</span>;
  const indent = '  '.repeat(depth + 1);
  return (
    <>
      {open}
      {members.map(([key, each], index) => {
        const concern = isList ? undefined : concernOf(key);
        const member = (
          <>
            {!isList && <span class="key">{JSON.stringify(key)}: </span>}
            <Json value={each} depth={depth + 1} />
          </>
        );
        return (
          <>
            {`\n${indent}`}
            {concern === undefined ? member : <span class={`concern ${concern}`}>{member}</span>}
            {index < members.length - 1 ? ',' : ''}
          </>
        );
      })}
      {`\n${'  '.repeat(depth)}${close}`}
    </>
  );
}

/** The text direction follows the text itself, so that Arabic reads right inside an English page. */
export function Prose({ text }: { readonly text: string }): VNode {
  return (
    <div class="prose" dir="auto">
      {text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}
    </div>
  );
}
