import type { Report } from '../wire/issue.js';
import type { CopiedKeys } from './copied.js';

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: string): { channel(name: string): { readonly hasSubscribers: boolean } } | undefined;
  };
}

let requests: { readonly hasSubscribers: boolean } | undefined;

/** Instrumentation of HTTP listens here, in Node, and adds a `traceparent` of its own to each request of `fetch`. */
function isFetchInstrumented(): boolean {
  requests ??= (globalThis as Runtime).process?.getBuiltinModule?.('node:diagnostics_channel')?.channel('undici:request:create');
  return requests?.hasSubscribers === true;
}

/** The trace keys to copy into headers: none while instrumentation adds the same headers, since two `traceparent` lines are no trace at all. */
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
