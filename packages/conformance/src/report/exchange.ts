/** An exchange for people: what was sent and what came back, with the offending part marked. */
import type { Exchange } from '../wire/exchange.js';
import { at, isObject, type Path } from '../wire/json.js';

const MAX_LINES = 60;

export function showExchange(exchange: Exchange, mark: Path): string[] {
  const [first = '', ...rest] = mark;
  // The closest part that exists: what is missing is marked where it should stand.
  const within = (whole: unknown) => {
    let length = rest.length;
    while (length > 0 && at(whole, ...rest.slice(0, length)) === undefined) length--;
    return rest.slice(0, length);
  };
  const lines = [
    'sent',
    ...headerLines(exchange.sent.headers),
    ...json(exchange.sent.message, first === 'sent' ? within(exchange.sent.message) : undefined),
  ];
  const status = exchange.status === undefined ? '' : ` HTTP ${exchange.status}`;
  lines.push(`${first === 'status' ? '> ' : ''}received${status}${exchange.problem === undefined ? '' : `: ${exchange.problem}`}`);
  lines.push(...headerLines(exchange.headers, first === 'headers' ? String(rest[0]) : undefined));
  exchange.others.forEach((one, index) => lines.push(...json(one, first === 'others' && rest[0] === index ? rest.slice(1) : undefined)));
  if (exchange.answer !== undefined) lines.push(...json(exchange.answer, first === 'answer' ? within(exchange.answer) : undefined));
  for (const one of exchange.secondAnswers) lines.push('> again', ...json(one));
  for (const one of exchange.notJsonRpc) lines.push(`> ${one}`);
  return lines.length > MAX_LINES
    ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines; --json has all of them`]
    : lines;
}

const QUIET = new Set(['host', 'content-type', 'accept', 'connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);

function headerLines(headers: Exchange['headers'], mark?: string): string[] {
  const shown = (headers ?? []).filter(([name]) => !QUIET.has(name.toLowerCase()));
  const lines = shown.map(([name, value]) => `${name.toLowerCase() === mark ? '> ' : '  '}${name}: ${value}`);
  return mark === undefined || lines.some((line) => line.startsWith('>')) ? lines : [...lines, `> (no ${mark})`];
}

/** Indented JSON; the line where `mark` begins is pointed at. */
function json(value: unknown, mark?: Path): string[] {
  const lines: string[] = [];
  const write = (part: unknown, indent: string, lead: string, tail: string, left: Path | undefined) => {
    const pointer = left?.length === 0 ? '> ' : '  ';
    const below = (key: string | number) => (left !== undefined && left[0] === key ? left.slice(1) : undefined);
    const members: [string | number, unknown][] = Array.isArray(part) ? [...part.entries()] : isObject(part) ? Object.entries(part) : [];
    if (members.length === 0) {
      lines.push(`${pointer}${indent}${lead}${JSON.stringify(part)}${tail}`);
      return;
    }
    const [open, close] = Array.isArray(part) ? '[]' : '{}';
    lines.push(`${pointer}${indent}${lead}${open ?? ''}`);
    members.forEach(([key, member], index) => {
      const name = typeof key === 'string' ? `${JSON.stringify(key)}: ` : '';
      write(member, `${indent}  `, name, index < members.length - 1 ? ',' : '', below(key));
    });
    lines.push(`  ${indent}${close ?? ''}${tail}`);
  };
  write(value, '', '', '', mark);
  return lines;
}
