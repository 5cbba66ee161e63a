import assert from 'node:assert/strict';
// #region range
import { range } from '@waybill/time';

const found = range('sales last week by region', { now: Date.now(), timezone: 'Europe/Vienna', locale: 'en-GB' });
found?.start; // the first instant of Monday; members as in Temporal.ZonedDateTime
found?.end; // exclusive
found?.text; // 'last week'
// #endregion
assert.equal(found?.text, 'last week');
