import type { Facet, WireOptions } from './concern.js';
import { concernNames, facetOf, type MessageKind, type ContextValues } from './concerns.js';
import { liftEnvironment } from './environment.js';
import type { Issue, Report } from './issue.js';
import { EMPTY, isObject, type Meta } from './json.js';
import { metaOf } from './message.js';

/**
 * The context of one message. Each hop reads a message once. A concern is parsed when it is first read, and only then; reading `issues`
 * parses all of them.
 */
export type Context<Kind extends MessageKind> = ContextValues<Kind> & {
  /** The whole `_meta` as it came, for keys of no concern, such as correlation ids. */
  readonly meta: Meta;
  readonly issues: readonly Issue[];
};

export interface ReadOptions extends WireOptions {
  /** Called for each issue when it is found, which is when its concern is first read. */
  readonly onIssue?: Report;
}

const UNREAD = Symbol('unread');
const ALL_UNREAD: readonly unknown[] = concernNames.map(() => UNREAD);

const facets = (kind: MessageKind): (Facet<unknown> | undefined)[] => concernNames.map((name) => facetOf(name, kind));
/** In the order of `concernNames`. */
const FACETS = {
  request: facets('request'),
  result: facets('result'),
  error: facets('error'),
  notification: facets('notification'),
} as const;

class LazyContext {
  readonly meta: Meta;
  readonly #kind: MessageKind;
  readonly #options: ReadOptions;
  readonly #found: Issue[] = [];
  readonly #report: Report = (issue) => {
    this.#found.push(issue);
    this.#options.onIssue?.(issue);
  };
  /** One slot for each concern, in the order of `concernNames`. */
  readonly #values: unknown[] = ALL_UNREAD.slice();

  constructor(kind: MessageKind, meta: unknown, options: ReadOptions) {
    this.#kind = kind;
    this.#options = options;
    this.meta = isObject(meta) ? meta : EMPTY;
    if (meta !== undefined && !isObject(meta)) this.#report({ concern: 'meta', key: '_meta', problem: 'is not an object' });
  }

  read(slot: number): unknown {
    const known = this.#values[slot];
    return known === UNREAD ? this.#parse(slot) : known;
  }

  #parse(slot: number): unknown {
    return (this.#values[slot] = FACETS[this.#kind][slot]?.read(this.meta, this.#report, this.#options));
  }

  get issues(): readonly Issue[] {
    for (let slot = 0; slot < concernNames.length; slot++) this.read(slot);
    return this.#found;
  }
}
concernNames.forEach((name, slot) => {
  Object.defineProperty(LazyContext.prototype, name, {
    get(this: LazyContext) {
      return this.read(slot);
    },
    enumerable: true,
  });
});

function read<Kind extends MessageKind>(kind: Kind, message: unknown, options: ReadOptions): Context<Kind> {
  return new LazyContext(kind, metaOf(message, kind), options);
}

/** Reads a request. The environment may also stand beside `params` or in them. */
export function readRequest(message: unknown, options: ReadOptions = {}): Context<'request'> {
  return read('request', isObject(message) ? liftEnvironment(message, options) : message, options);
}

/** Reads the `_meta` of a request whose environment was moved into it before. */
export function readRequestMeta(meta: unknown, options: ReadOptions = {}): Context<'request'> {
  return new LazyContext('request', meta, options);
}

export function readNotification(message: unknown, options: ReadOptions = {}): Context<'notification'> {
  return read('notification', message, options);
}

export function readResult(message: unknown, options: ReadOptions = {}): Context<'result'> {
  return read('result', message, options);
}

/** Reads `error.data._meta`. */
export function readError(message: unknown, options: ReadOptions = {}): Context<'error'> {
  return read('error', message, options);
}
