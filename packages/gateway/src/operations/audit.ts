/** One line for each call: who, what, where, how it ended, and the names of what was disclosed. */
import type { Exchanges } from './exchanges.js';
import type { Log } from './log.js';

/** Streams, ends of sessions, notifications and answers to questions do not count as calls. */
const NO_CALL = /^(?:GET|HEAD|OPTIONS|answer$|ping$|notifications\/)/;

export function auditTo(log: Log, exchanges: Exchanges): () => void {
  return exchanges.listen(({ principal, upstream, method, name, outcome, status, milliseconds, disclosed, withheld }) => {
    if (NO_CALL.test(method)) return;
    const audit = {
      ...{ who: principal ?? '-', upstream: upstream === '' ? '-' : upstream, method, ...(name !== undefined && { name }) },
      ...{ outcome, status, milliseconds: Math.round(milliseconds), disclosed, withheld },
    };
    log({ level: 'info', message: 'call', audit });
  });
}
