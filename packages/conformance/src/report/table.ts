/** The report for people. */
import type { Status } from '../check.js';
import { requirementById } from '../requirements.js';
import { showExchange } from './exchange.js';
import type { Report, Row } from './fold.js';

const SIGN: Readonly<Record<Status, [sign: string, colour: number]>> = {
  pass: ['✓', 32],
  fail: ['✗', 31],
  warn: ['!', 33],
  notApplicable: ['–', 90],
};

export function table(report: Report, colour: boolean): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines = [report.subject];
  let place = '';
  for (const row of report.requirements) {
    const here = `${row.revision} over ${row.transport}`;
    if (here !== place) lines.push('', here);
    place = here;
    const [sign, code] = SIGN[row.status];
    const text = row.status === 'notApplicable' ? `not applicable: ${row.observed}` : (requirementById.get(row.id)?.text ?? '');
    lines.push(`  ${paint(sign, code)} ${row.id.padEnd(9)} ${row.level.padEnd(10)} ${text}`);
    if (row.status === 'fail' || row.status === 'warn') lines.push(...explained(row, paint));
  }
  lines.push('', counted(report));
  return `${lines.join('\n')}\n`;
}

function explained(row: Row, paint: (text: string, code: number) => string): string[] {
  const [, code] = SIGN[row.status];
  const shown = row.exchange === undefined ? [] : showExchange(row.exchange, row.mark ?? []);
  return [paint(`      ${row.observed}`, code), ...shown.map((line) => `        ${line.startsWith('>') ? paint(line, code) : line}`)];
}

export const counted = ({ summary: { pass, fail, warn, notApplicable } }: Report): string =>
  `${pass} pass, ${fail} fail, ${warn} warn, ${notApplicable} not applicable`;
