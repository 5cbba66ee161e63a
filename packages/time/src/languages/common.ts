/** Rows that are the same in every language. */
import type { Row } from '../parse/word.js';

export const COMMON: readonly Row[] = [
  [{ toDate: 'year' }, 'ytd'],
  [{ toDate: 'quarter' }, 'qtd'],
  [{ toDate: 'month' }, 'mtd'],
  [{ toDate: 'week' }, 'wtd'],
  [{ label: 'quarter', weak: true }, 'q'],
  [{ meridiem: 'am' }, 'a m'],
  [{ meridiem: 'pm' }, 'pm, p m'],
];
