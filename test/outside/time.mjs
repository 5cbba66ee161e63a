// The function an outside collection of date cases asks for, on the built package. Both suites of dates look ahead.
import { range } from '@waybill/time';

export const resolveRange = (text, { timeZone, ...options }) => range(text, { ...options, timezone: timeZone, prefer: 'future' });
