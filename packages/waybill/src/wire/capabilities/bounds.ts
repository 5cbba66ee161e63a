import type { Bounds } from '../json.js';

/** CAP-23: what a declaration or an annotation of a peer may have; today's are a dozen values, three deep. */
export const CAPABILITY_BOUNDS: Bounds = { depth: 16, values: 1024, characters: 32_768 };
