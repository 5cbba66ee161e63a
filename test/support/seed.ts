/**
 * Every run tries the same examples, so a test fails because of a change and not by chance. `WAYBILL_SEED=random npm test` tries others (or
 * give a number): each failure it finds becomes its own case.
 */
import fc from 'fast-check';

const wanted = process.env['WAYBILL_SEED'] ?? '20261115';
if (wanted !== 'random' && !/^-?\d+$/.test(wanted)) throw new RangeError(`WAYBILL_SEED: ${wanted} is neither a number nor "random"`);
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
