import type { Report } from '../wire/issue.js';
import type { CopiedKeys } from './copied.js';

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: string): { channel(name: string): { readonly hasSubscribers: boolean } } | undefined;
  };
}

let requests: { readonly hasSubscribers: boolean } | undefined;

/** In Node, instrumentation of HTTP listens here and adds its own `traceparent` to each request of `fetch`. */
function isFetchInstrumented(): boolean {
  requests ??= (globalThis as Runtime).process?.getBuiltinModule?.('node:diagnostics_channel')?.channel('undici:request:create');
  return requests?.hasSubscribers === true;
}

/**
 * Returns the trace keys to copy into headers: none while instrumentation adds the same headers, since two `traceparent` lines count as no
 * trace.
 */
export function unlessInstrumented(keys: readonly string[], report: Report): CopiedKeys {
  let isReported = false;
  return () => {
    if (!isFetchInstrumented()) return keys;
    if (!isReported)
      report({
        side: 'setup',
        concern: 'trace',
        key: 'mirror',
        problem: "adds no headers while instrumentation of HTTP adds its own; write mirror: 'always' to send both, or leave mirror out",
      });
    isReported = true;
    return NONE;
  };
}

const NONE: readonly string[] = [];
