/** Writes log entries: lines for people, or JSON by `pino`. */
import type { Writable } from 'node:stream';
import { lineOf, redacted, type Log } from './log.js';
import { optional } from './optional.js';

/** Members that can only be inside other things. The text of a message is redacted by itself. */
const REDACTED = ['_meta', '*._meta', '*.*._meta'];

export async function openLog(format: 'text' | 'json', output: Writable): Promise<Log> {
  if (format === 'text') return (entry) => void output.write(`${lineOf(entry)}\n`);
  const { pino } = await optional(['pino'], 'log: { format: json }', () => import('pino'));
  const logger = pino({ base: { name: 'waybill-gateway' }, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime }, output);
  return ({ level, message, upstream, audit }) => {
    if (audit !== undefined) logger.info({ audit }, message);
    else logger[level](upstream === undefined ? {} : { upstream }, redacted(message));
  };
}
