/** Shows messages and answers to people. Texts of a server are cleaned: they must not drive the terminal. */
import { type ConcernName, keys } from 'waybill';
import { concernNames, keysOf } from 'waybill/adapter';
import { clean, cleanLine, type Style } from '../output.js';
import type { Run } from '../run.js';
import { cut, hanging, spacedJson } from '../table.js';
import type { Crossing } from './wire.js';

const COLOURS: Readonly<Record<ConcernName, Style>> = {
  language: 'cyan',
  environment: 'green',
  state: 'yellow',
  trace: 'dim',
  capabilities: 'bold',
};
const HEADERS: Readonly<Record<string, ConcernName>> = {
  'accept-language': 'language',
  [keys.TRACEPARENT]: 'trace',
  [keys.TRACESTATE]: 'trace',
  [keys.BAGGAGE]: 'trace',
};

/** One message: a JSON line for programs; for people its method, and each concern that it carries, marked. It goes to stderr, because it is not the command's data. */
export function showCrossing(crossing: Crossing, run: Run): void {
  const { out } = run;
  if (out.json) {
    out.line({ ...crossing, concerns: concernsOf(crossing) });
    return;
  }
  out.note(`${out.paintNote('bold', crossing.direction === 'sent' ? '→' : '←')} ${titleOf(crossing.message, out.columns)}`);
  for (const line of markedLines(crossing, out.paintNote.bind(out), out.columns)) out.note(line);
}

/** One line for each key and header of a concern. */
export function markedLines(crossing: Crossing, paint: (style: Style, text: string) => string, width: number): string[] {
  const line = (concern: ConcernName, key: string, value: string): string =>
    hanging(`    ${paint(COLOURS[concern], concern.padEnd(13))}`, `${clean(key)} ${clean(value)}`, width);
  return [
    ...marked(crossing).map(([concern, key, value]) => line(concern, key, spacedJson(value))),
    ...Object.entries(crossing.headers ?? {}).flatMap(([name, value]) =>
      HEADERS[name] === undefined ? [] : [line(HEADERS[name], `${name}:`, value)],
    ),
  ];
}

interface Parts {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly uri?: string };
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string };
}

function titleOf(message: Crossing['message'], width: number): string {
  const { id, method, params, result, error } = message as Parts;
  const number = id === undefined ? '' : ` #${id}`;
  if (method !== undefined) return cleanLine(`${method}${number} ${params?.name ?? params?.uri ?? ''}`);
  if (error !== undefined) return cleanLine(`error${number} ${error.code ?? ''} ${error.message ?? ''}`);
  return cut(cleanLine(`result${number} ${JSON.stringify(stripped(result))}`), Math.min(170, width - 2));
}

const stripped = (result: unknown): unknown => {
  if (typeof result !== 'object' || result === null) return result;
  const { _meta, ...rest } = result as Record<string, unknown>;
  return rest;
};

/** Every key of `_meta` that belongs to a concern. */
export function marked({ message }: Pick<Crossing, 'message'>): [ConcernName, string, unknown][] {
  const { params, result, error } = message as Record<
    string,
    { _meta?: Record<string, unknown>; data?: { _meta?: Record<string, unknown> } }
  >;
  const meta = params?._meta ?? result?._meta ?? error?.data?._meta ?? {};
  const found = Object.entries(meta).flatMap(([key, value]) =>
    concernNames.filter((concern) => keysOf([concern]).has(key)).map((concern): [ConcernName, string, unknown] => [concern, key, value]),
  );
  return found;
}

export const concernsOf = (crossing: Pick<Crossing, 'message'>): Partial<Record<ConcernName, Record<string, unknown>>> => {
  const all: Partial<Record<ConcernName, Record<string, unknown>>> = {};
  for (const [concern, key, value] of marked(crossing)) (all[concern] ??= {})[key] = value;
  return all;
};

/** The parts of an answer as text; data that is not a text is named. */
export function contentText(content: readonly unknown[]): string {
  return content
    .map((part) => {
      const one = part as {
        type?: string;
        text?: string;
        mimeType?: string;
        uri?: string;
        data?: string;
        resource?: { text?: string; uri?: string };
      };
      if (typeof one.text === 'string') return clean(one.text);
      if (one.resource !== undefined) return clean(one.resource.text ?? `[${one.resource.uri ?? 'resource'}]`);
      if (one.type === 'resource_link') return `[${clean(one.uri ?? '')}]`;
      return `[${clean(one.type ?? 'data')} ${clean(one.mimeType ?? '')}, ${one.data?.length ?? 0} characters of base64; --json shows them]`;
    })
    .join('\n');
}
