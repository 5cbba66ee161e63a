import { capabilities } from './capabilities.js';
import { declaration } from './declare.js';
import { environment } from './environment.js';
import { error } from './error.js';
import { language } from './language.js';
import { listPart } from './localise/cache.js';
import { localise } from './localise/part.js';
import { languagesOf, type ServerContextOptions } from './options.js';
import type { Part } from './part.js';
import { state } from './state.js';
import { trace } from './trace.js';

/** Every part of a room, in the order they run: what refuses first, the language last, when all have said which one they used. */
export function partsOf(options: ServerContextOptions): readonly Part[] {
  return [
    capabilities(options.tools, options.filter),
    trace(options.trace, options),
    state(options.state),
    environment(options.environment, languagesOf(options), options.time, options.clock),
    declaration,
    error,
    localise(options.catalogs, options.localise, options.languages),
    ...(options.parts ?? []),
    language,
    ...(options.lists === undefined ? [] : [listPart(options.lists, options)]),
  ];
}
