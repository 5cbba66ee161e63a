import { capabilities } from './capabilities.js';
import { declaration } from './declare.js';
import { environment } from './environment.js';
import { error } from './error.js';
import { language } from './language.js';
import { listPart } from './localise/cache.js';
import { localise } from './localise/part.js';
import { languagesOf, type ServerOptions } from './options.js';
import type { ServerPart } from './part.js';
import { state } from './state.js';
import { trace } from './trace.js';

/** Every part, in the order they run: those that refuse first, the language after all others have said which one they used. */
export function partsOf(options: ServerOptions): readonly ServerPart[] {
  return [
    capabilities(options.tools, options.filter),
    trace(options.trace, options.tracing),
    state(options.state),
    environment(options.environment, languagesOf(options), options.time),
    declaration,
    error,
    localise(options.catalogs, options.localise, options.languages),
    ...(options.parts ?? []),
    language,
    ...(options.lists === undefined ? [] : [listPart(options.lists, options)]),
  ];
}
