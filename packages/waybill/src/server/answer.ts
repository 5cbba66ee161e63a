import type { ContextError } from '../wire/errors.js';
import type { HandlerError } from './handlerError.js';

/** The decisions about the answer to one request while it is served. */
export class Answer {
  readonly language = new AnswerLanguage();
  readonly caching = new AnswerCaching();
  readonly refusal = new AnswerRefusal();
}

/** The number of texts of one call that are remembered, to find them again in an error or a notification. */
const MAX_TEXTS = 256;

// LANG-20
/** The language that the answer claims. */
export class AnswerLanguage {
  #tags: string | null | undefined;
  #isStated = false;
  #texts: Map<string, readonly string[]> | undefined;

  /** The value of `Content-Language`. `undefined`: not known yet. `null`: no language can be named. */
  get tags(): string | null | undefined {
    return this.#tags;
  }

  /** True once the handler named the language itself: no part overrides it. */
  get isStated(): boolean {
    return this.#isStated;
  }

  /** Texts of this call that came from a catalogue, the latest last, and the languages of each. */
  get texts(): ReadonlyMap<string, readonly string[]> | undefined {
    return this.#texts;
  }

  // LANG-25
  /** A handler that reads the chosen language is assumed to answer in it, unless more is known. */
  assume(tag: string): void {
    if (this.#tags === undefined) this.#tags = tag;
  }

  /** Called with the languages of the texts in the answer. */
  found(tags: string): void {
    if (!this.#isStated) this.#tags = tags;
  }

  // LANG-14
  /** Called when the handler names the language, or `null` for none. */
  state(tags: string | null): void {
    this.#isStated = true;
    this.#tags = tags;
  }

  // LANG-23
  /** The text of a refusal is ours and English, so no language is claimed for it. */
  claimNone(): void {
    this.#tags = null;
  }

  remember(text: string, language: string): void {
    const texts = (this.#texts ??= new Map<string, readonly string[]>());
    const known = texts.get(text) ?? [];
    // The latest text goes last: an error is about what happened last.
    texts.delete(text);
    texts.set(text, known.includes(language) ? known : [...known, language]);
    if (texts.size > MAX_TEXTS) texts.delete(texts.keys().next().value as string);
  }
}

export type CacheRestriction = 'private' | 'no-store';

/** Decides who may cache the answer. */
export class AnswerCaching {
  #dependsOnCaller = false;
  #dependsOnPreference = false;
  #restriction: CacheRestriction | undefined;

  // CTX-32
  /** True once a handler has read something that only this caller sends (environment, capabilities, state, `_meta`). */
  get dependsOnCaller(): boolean {
    return this.#dependsOnCaller;
  }

  // LANG-62
  /** True once a handler has read the language preference itself, not only the chosen language. */
  get dependsOnPreference(): boolean {
    return this.#dependsOnPreference;
  }

  /** The strictest restriction that was asked for. */
  get restriction(): CacheRestriction | undefined {
    return this.#restriction;
  }

  noteCaller(): void {
    this.#dependsOnCaller = true;
  }

  notePreference(): void {
    this.#dependsOnPreference = true;
  }

  // LANG-63, D-24
  /** `private`: the answer depends on more than a shared cache can see. `no-store`: it must not be stored at all. */
  restrict(how: CacheRestriction): void {
    if (this.#restriction !== 'no-store') this.#restriction = how;
  }
}

/** Errors that the SDK gives before a handler runs. It sets these statuses itself, unless a part has delayed the request. */
const SDK_STATUS: ReadonlyMap<unknown, number> = new Map([
  [-32601, 404],
  [-32022, 400],
]);

/** The reason why the request gets an error instead of a result. */
export class AnswerRefusal {
  #layer: ContextError | undefined;
  #sdkCode: unknown;
  #made: (ContextError | HandlerError)[] | undefined;

  /** Called when the layer refuses the request before it reaches a handler. */
  byLayer(error: ContextError): void {
    this.#layer = error;
  }

  /** Called when the SDK refuses it with this code, after a part had delayed it. */
  bySdk(code: unknown): void {
    this.#sdkCode = code;
  }

  /** Remembers a protocol error that a handler made and may throw. */
  byHandler<E extends ContextError | HandlerError>(error: E): E {
    (this.#made ??= []).push(error);
    return error;
  }

  /** Returns the handler's error with this text; the latest, if several have it. */
  madeWith(text: unknown): ContextError | HandlerError | undefined {
    return this.#made?.findLast(({ message }) => message === text);
  }

  // D-13
  /** Returns the HTTP status. On 2025-11-25 a client loses code and data in a 400, so only the language mismatch uses it there. */
  status(era: 'modern' | 'legacy'): number | undefined {
    if (era === 'modern') return this.#layer?.status ?? SDK_STATUS.get(this.#sdkCode);
    return this.#layer?.reason === 'language-mismatch' ? this.#layer.status : undefined;
  }
}
