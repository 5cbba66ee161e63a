/**
 * Every run tries the same examples, so a test fails for what was changed and not for its luck. `WAYBILL_SEED=random npm test` tries
 * others (or give a number): what it finds becomes a case of its own.
 */
import fc from 'fast-check';

const wanted = process.env['WAYBILL_SEED'] ?? '20261115';
if (wanted !== 'random' && !/^-?\d+$/.test(wanted)) throw new RangeError(`WAYBILL_SEED: ${wanted} is neither a number nor "random"`);
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
