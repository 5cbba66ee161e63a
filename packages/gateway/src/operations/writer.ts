/** Writes log entries: lines for people, or JSON by `pino`. */
import type { Writable } from 'node:stream';
import { lineOf, redacted, type Log } from './log.js';
import { optional } from './optional.js';

/** Members that can only be inside other things. The text of a message is redacted by itself. */
const REDACTED = ['_meta', '*._meta', '*.*._meta'];

export async function openLog(format: 'text' | 'json', output: Writable): Promise<Log> {
  if (format === 'text') {
    const write = gathering(output);
    return (entry, line = lineOf(entry)) => write(`${line}\n`);
  }
  const { pino } = await optional(['pino'], 'log: { format: json }', () => import('pino'));
  const logger = pino({ base: { name: 'waybill-gateway' }, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime }, output);
  return ({ level, message, upstream, audit }) => {
    if (audit !== undefined) logger.info({ audit }, message);
    else logger[level](upstream === undefined ? {} : { upstream }, redacted(message));
  };
}

/** Writes the lines of one turn of the event loop at once: with a line for each call, writing would cost more than making them. */
function gathering(output: Writable): (line: string) => void {
  let lines = '';
  return (line) => {
    if (lines === '')
      setImmediate(() => {
        output.write(lines);
        lines = '';
      });
    lines += line;
  };
}
