import type { Telemetry } from '../transport/index.js';
import { wireIn } from '../wire/check.js';
import { safeCallback } from '../wire/maybe.js';
import { languageChooser, type LanguageChoice } from '../wire/language.js';
import type { WireOptions } from '../wire/concern.js';
import { type Report, setupWarnings } from '../wire/issue.js';
import type { Context, ReadOptions } from '../wire/read.js';
import type { RequestContext } from './context.js';
import { languagesOf, type ServerContextOptions } from './options.js';
import type { ServerPart } from './part.js';
import type { IncomingRequest } from './request.js';
import { Targets } from './connection.js';
import { viewOf } from './view.js';

/** BCP 47 for an unknown language: the choice of a server that named no languages. */
export const UNDETERMINED = 'und';

/** The functions of a part that run for a request. */
export const STEPS = ['before', 'instead', 'early', 'result', 'error', 'notification', 'values', 'stream', 'done'] as const;
type Step = (typeof STEPS)[number];

/** One `serverContext`: its options, checked once, and its parts in order. It keeps nothing between requests. */
export interface Layer {
  readonly parts: readonly ServerPart[];
  /** The parts that have each step, so that a step without parts costs nothing. */
  readonly steps: Readonly<Record<Step, readonly ServerPart[]>>;
  readonly wire: WireOptions;
  readonly reading: ReadOptions;
  readonly strict: boolean;
  /** True if the server named its languages: answers vary by the preference (LANG-62). */
  readonly hasLanguages: boolean;
  /** D-32: an `Accept-Language` header of exactly `*` counts as absent. */
  readonly ignoresStar: boolean;
  readonly telemetry: Telemetry | undefined;
  readonly targets: Targets;
  readonly report: Report;
  readonly fault: (error: unknown) => void;
  choose(received: Context<'request'>): LanguageChoice;
  /** Returns the value of `contextOf` for a request. */
  view(request: IncomingRequest): RequestContext;
}

export function createLayer(options: ServerContextOptions, parts: readonly ServerPart[]): Layer {
  const wire = wireIn(options);
  const fault = safeCallback<unknown>(options.onFault);
  // eslint-disable-next-line no-console -- D-33: only mistakes of the program itself, and never on stdout
  const report = safeCallback(options.onIssue ?? setupWarnings((text) => console.warn(text)), fault);
  const languages = languagesOf(options);
  const chooser = languages && languageChooser(languages, options.language);
  const noChoice: LanguageChoice = Object.freeze({ language: UNDETERMINED, matched: false });
  const View = viewOf(parts);
  const withStep = (step: Step): readonly [Step, readonly ServerPart[]] => [step, parts.filter((part) => part[step] !== undefined)];
  return {
    parts,
    steps: Object.fromEntries(STEPS.map(withStep)) as unknown as Layer['steps'],
    wire,
    reading: { ...wire, onIssue: report },
    strict: options.strict === true,
    hasLanguages: chooser !== undefined,
    ignoresStar: options.language?.ignoreStarHeader === true,
    telemetry: options.telemetry,
    targets: new Targets(),
    report,
    fault,
    choose(received) {
      try {
        return chooser?.choose(received.language) ?? noChoice;
      } catch (error) {
        // The strategy is a function of the author.
        fault(error);
        return chooser?.choose(undefined) ?? noChoice;
      }
    },
    view: (request) => new View(request),
  };
}
