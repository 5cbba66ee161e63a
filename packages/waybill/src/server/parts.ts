import { capabilities } from './parts/capabilities.js';
import { declaration } from './parts/declare.js';
import { environment } from './parts/environment.js';
import { error } from './parts/error.js';
import { language } from './parts/language.js';
import { listPart } from './parts/lists/part.js';
import { localise } from './parts/localise.js';
import type { ServerContextOptions } from './options.js';
import type { ServerPart } from './part.js';
import { state } from './parts/state.js';
import { trace } from './parts/trace.js';

/** Returns every part, in the order they run: parts that refuse come first, the language after all parts that use one. */
export function partsOf(options: ServerContextOptions): readonly ServerPart[] {
  return [
    capabilities(options.tools, options.filter),
    trace(options),
    state(options.state),
    environment(options),
    declaration,
    error,
    localise(options.catalogs, options.localise, options.languages),
    ...(options.parts ?? []),
    language,
    ...(options.lists === undefined ? [] : [listPart(options.lists, options)]),
  ];
}
