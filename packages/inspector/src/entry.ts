/** The parts that the page shows of a tool, prompt or resource. */
import { keys } from 'waybill';
import type { Entry } from './model.js';

export const titleOf = (entry: Entry): string => entry.title ?? entry.annotations?.title ?? entry.name;

/** The capabilities that a disabled tool lacks, as paths; the client half left them on the tool. */
export function missingOf({ _meta }: Entry): string | undefined {
  const mark = _meta?.[keys.UNAVAILABLE] as { missing?: object } | undefined;
  return mark === undefined ? undefined : pathsOf(mark.missing ?? {}).join(', ');
}

/** `{ elicitation: { form: {} } }` as `elicitation.form`. */
export function pathsOf(missing: object, prefix = ''): string[] {
  return Object.entries(missing).flatMap(([name, inner]: [string, unknown]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const deeper = typeof inner === 'object' && inner !== null ? pathsOf(inner, path) : [];
    return deeper.length > 0 ? deeper : [path];
  });
}
