/** JUnit XML: one suite for each revision and transport, one case for each requirement. */
import { requirementById } from '../requirements.js';
import { showExchange } from './exchange.js';
import type { Report, Row } from './fold.js';

// XML 1.0 has no way to write most control characters, not even escaped.
const escape = (text: string): string =>
  text
    .replaceAll(
      /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
      '\uFFFD',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export function junit(report: Report): string {
  const places = grouped(report.requirements);
  const suites = [...places].map(([place, rows]) => {
    const count = (status: Row['status']) => rows.filter((row) => row.status === status).length;
    const head = `<testsuite name="${escape(place)}" tests="${rows.length}" failures="${count('fail')}" skipped="${count('notApplicable')}">`;
    return [head, ...rows.map(testcase), '</testsuite>'].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escape(report.subject)}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function testcase(row: Row): string {
  const head = `<testcase classname="${row.revision}.${row.transport}" name="${row.id}: ${escape(requirementById.get(row.id)?.text ?? '')}"`;
  if (row.status === 'pass') return `${head}/>`;
  const detail = row.exchange === undefined ? '' : escape(showExchange(row.exchange, row.mark ?? []).join('\n'));
  if (row.status === 'fail') return `${head}><failure message="${escape(row.observed)}">${detail}</failure></testcase>`;
  if (row.status === 'warn') return `${head}><system-out>${escape(`warning: ${row.observed}`)}\n${detail}</system-out></testcase>`;
  return `${head}><skipped message="${escape(row.observed)}"/></testcase>`;
}

function grouped(rows: readonly Row[]): Map<string, Row[]> {
  const places = new Map<string, Row[]>();
  for (const row of rows) {
    const place = `${row.revision} ${row.transport}`;
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  return places;
}
