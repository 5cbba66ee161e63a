/** One JSON-RPC message: its text as it came, the parsed value to decide by, and the edits that rules have made. */
import { editsBetween } from './json/diff.js';
import { hasRepeatedNames } from './json/repeated.js';
import { applyEdits, editValue, removeMember, setMember, textAt, type Edit, type Path } from './json/spans.js';
import { at, isObject, own, textOf, type JsonRecord } from './json/values.js';

export type Kind = 'request' | 'notification' | 'result' | 'error';
export type Id = string | number;

export class Message {
  readonly kind: Kind;
  readonly value: JsonRecord;
  #text: string;
  #edits: Edit[] = [];

  constructor(text: string, value: JsonRecord, kind: Kind) {
    this.#text = text;
    this.value = value;
    this.kind = kind;
  }

  get id(): Id | undefined {
    const id = own(this.value, 'id');
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  }

  /** The id as JSON text, exactly as it is written; `null` if there is none. */
  get idText(): string {
    return idTextOf(this.text, this.value);
  }

  get method(): string {
    return textOf(own(this.value, 'method')) ?? '';
  }

  get params(): unknown {
    return own(this.value, 'params');
  }

  /** The member of the parameters that names what is asked for: a tool, a prompt or a URI. */
  get name(): string | undefined {
    const member = NAMED[this.method];
    return member === undefined ? undefined : textOf(own(this.params, member));
  }

  /** `_meta` of a request or notification, or of a result. */
  get meta(): JsonRecord {
    const meta = at(this.value, this.#holder, '_meta');
    return isObject(meta) ? meta : EMPTY_RECORD;
  }

  get #holder(): string {
    return this.kind === 'result' ? 'result' : 'params';
  }

  /** The text to send: the received one, with the edits. */
  get text(): string {
    if (this.#edits.length > 0) {
      this.#text = applyEdits(this.#text, this.#edits);
      this.#edits = [];
    }
    return this.#text;
  }

  set(path: Path, value: unknown): void {
    this.#edit(setMember(path, value));
  }

  /** Sets a member to JSON text that is taken over as it is. */
  setText(path: Path, json: string): void {
    this.#edit({ path, json });
  }

  remove(path: Path): void {
    this.#edit(removeMember(path));
  }

  setMeta(key: string, value: unknown): void {
    const path = [this.#holder, '_meta', key];
    if (value === undefined) this.remove(path);
    else this.set(path, value);
  }

  /** Leaves one member of each name that rules judge by: the one that was parsed. All of it stays as it is written. */
  settle(): void {
    if (!hasRepeatedNames(this.text, this.value, ['params', '_meta'])) return;
    for (const name of Object.keys(this.value)) this.#settleAt([name]);
    for (const name of Object.keys(isObject(this.params) ? this.params : {})) this.#settleAt(['params', name]);
    for (const name of Object.keys(this.meta)) this.#settleAt(['params', '_meta', name]);
  }

  #settleAt(path: readonly string[]): void {
    this.setText(path, textAt(this.text, path) as string);
  }

  /** Changes the value at `path` into another one, by as few edits as that takes. */
  become(path: readonly string[], next: unknown): void {
    for (const edit of editsBetween(at(this.value, ...path), next, path)) this.#edit(edit);
  }

  copy(): Message {
    const { text } = this;
    return new Message(text, JSON.parse(text) as JsonRecord, this.kind);
  }

  #edit(edit: Edit): void {
    this.#edits.push(edit);
    editValue(this.value, edit);
  }
}

const EMPTY_RECORD: JsonRecord = Object.freeze({});
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** A message from its parsed value; undefined if it is not a JSON-RPC message of its own: a batch, a text, an object without a method. */
export function messageOf(text: string, value: unknown): Message | undefined {
  const kind = kindOf(value);
  return kind === undefined ? undefined : new Message(text, value as JsonRecord, kind);
}

/** Reads a message from text; undefined if it is not one. */
export function readMessage(text: string): Message | undefined {
  try {
    return messageOf(text, JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function makeMessage(value: JsonRecord): Message {
  const text = JSON.stringify(value);
  return new Message(text, JSON.parse(text) as JsonRecord, kindOf(value) ?? 'notification');
}

function kindOf(value: unknown): Kind | undefined {
  if (!isObject(value) || own(value, 'jsonrpc') !== '2.0') return undefined;
  const id = own(value, 'id');
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (typeof own(value, 'method') === 'string') return id === undefined ? 'notification' : hasId ? 'request' : undefined;
  if (isObject(own(value, 'error'))) return 'error';
  return hasId && isObject(own(value, 'result')) ? 'result' : undefined;
}

/** An id or a token as a key. A peer may write the same number in another way (`1.0` as `1`, one beyond 2^53 rounded); `1` and `"1"` differ. */
export function idKey(id: unknown): string {
  return JSON.stringify(id ?? null);
}

/** True for the message that ends an exchange. */
export function isAnswer({ kind }: Message): boolean {
  return kind === 'result' || kind === 'error';
}

/** The id of a JSON text that may be no message at all; `null` if none can be read. A parsed number could have lost digits. */
export function idTextOf(text: string, value: unknown): string {
  const id = own(value, 'id');
  return typeof id === 'string' || typeof id === 'number' ? (textAt(text, ['id']) ?? 'null') : 'null';
}

/** A JSON-RPC error as text. `idText`: the id of the request as JSON text. */
export function errorText(idText: string, code: number, message: string, data?: JsonRecord): string {
  return `{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify({ code, message, ...(data && { data }) })}}`;
}

export function resultText(idText: string, result: JsonRecord): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`;
}

/** The error for a question of an upstream that several callers could have caused, or none. */
export const NO_SINGLE_CALL = { code: -32603, message: 'This question cannot be put to anyone: it belongs to no single call' };

/** The answer to a request. */
export function replyTo(request: Message, body: { readonly result: object } | { readonly error: object }): Message {
  const reply = makeMessage({ jsonrpc: '2.0', id: 0, ...body });
  reply.setText(['id'], request.idText);
  return reply;
}
