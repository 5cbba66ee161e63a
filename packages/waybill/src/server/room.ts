import type { Tracing } from '../transport/index.js';
import { languageChooser, type LanguageChoice } from '../wire/language.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import { safeCallback } from '../wire/callbacks.js';
import { setupWarnings } from '../wire/setupIssues.js';
import type { Context, ReadOptions } from '../wire/read.js';
import type { ServerCall } from './call.js';
import type { RequestContext } from './context.js';
import { languagesOf, type ServerContextOptions } from './options.js';
import type { Part } from './part.js';
import { Targets } from './targets.js';
import { viewOf } from './view.js';

/** BCP 47 for a language that nobody determined: what a server chooses that named no languages. */
export const UNDETERMINED = 'und';

type Say = 'before' | 'instead' | 'early' | 'result' | 'error' | 'notification' | 'values' | 'stream' | 'done';
export const SAYS: readonly Say[] = ['before', 'instead', 'early', 'result', 'error', 'notification', 'values', 'stream', 'done'];

/** What one `serverContext` is made of: its options, checked once, and its parts in order. */
export interface Room {
  readonly parts: readonly Part[];
  /** The parts that have a say in each thing, so that the others cost nothing. */
  readonly having: Readonly<Record<Say, readonly Part[]>>;
  readonly wire: WireOptions;
  readonly reading: ReadOptions;
  readonly strict: boolean;
  /** Takes part in choosing a language: answers vary by it (LANG-62). */
  readonly speaks: boolean;
  /** D-32: an `Accept-Language` header of exactly `*` counts as absent. */
  readonly ignoresStar: boolean;
  readonly tracing: Tracing | undefined;
  readonly targets: Targets;
  readonly report: Report;
  /** Calls are made ahead of the hook, at an edge or at a transport's entrance: what arrives may bring one. */
  ahead: boolean;
  readonly fault: (error: unknown) => void;
  choose(asked: Context<'request'>): LanguageChoice;
  /** What `contextOf` gives for a call. */
  view(call: ServerCall): RequestContext;
  /** The call a hook made for a message that no edge had seen. */
  served(message: unknown): ServerCall | undefined;
  serves(message: object, call: ServerCall): void;
}

export function makeRoom(options: ServerContextOptions, parts: readonly Part[]): Room {
  const { wire, environmentKey, dialects, stateKeys } = options;
  const spelling: WireOptions = {
    ...(wire && { wire }),
    ...(environmentKey && { environmentKey }),
    ...(dialects && { dialects }),
    ...(stateKeys && { stateKeys }),
  };
  const fault = safeCallback<unknown>(options.onFault);
  // eslint-disable-next-line no-console -- D-33: only mistakes of the program itself, and never on stdout
  const report = safeCallback(options.onIssue ?? setupWarnings((text) => console.warn(text)), fault);
  const { language } = options;
  const languages = languagesOf(options);
  const chooser = languages && languageChooser(languages, language);
  const none: LanguageChoice = Object.freeze({ language: UNDETERMINED, matched: false });
  const View = viewOf(parts);
  const served = new WeakMap<object, ServerCall>();
  const having = Object.fromEntries(SAYS.map((say) => [say, parts.filter((part) => part[say] !== undefined)])) as unknown as Room['having'];
  return {
    parts,
    having,
    wire: spelling,
    reading: { ...spelling, onIssue: report },
    strict: options.strict === true,
    speaks: chooser !== undefined,
    ignoresStar: language?.ignoreStarHeader === true,
    tracing: options.telemetry,
    targets: new Targets(),
    ahead: false,
    report,
    fault,
    choose(asked) {
      try {
        return chooser?.choose(asked.language) ?? none;
      } catch (error) {
        fault(error); // the author's own strategy
        return chooser?.choose(undefined) ?? none;
      }
    },
    view: (call) => new View(call),
    served: (message) => served.get(message as object),
    serves: (message, call) => void served.set(message, call),
  };
}
