/** Columns a text takes in a terminal: East Asian characters take two, marks and bidirectional isolates none. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of text.replace(/\u001b\[\d+m/g, ''))
    if (!/[\p{Mn}\p{Me}\p{Cf}]/u.test(character))
      columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(character) ? 2 : 1;
  return columns;
}

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

type Rows = readonly (readonly string[])[];

const widthsOf = (rows: Rows): number[] =>
  rows.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, widthOf(cell))), []);

/** Rows as columns, two blanks apart. */
export function table(rows: Rows, indent = ''): string {
  const widths = widthsOf(rows);
  return rows.map((row) => (indent + row.map((cell, at) => pad(cell, widths[at] ?? 0)).join('  ')).trimEnd()).join('\n');
}

/** Cuts a text to a number of columns. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks a text at blanks, not at those that hold a number and its unit together, into lines of at most `width` columns. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const take = (more: string): void => {
    if (widthOf((line + more).trimEnd()) > width && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = '';
    }
    line += line === '' ? more.trimStart() : more;
  };
  for (const word of text.split(/(?<= )(?! )/))
    if (widthOf(word.trimEnd()) <= width) take(word);
    else for (const character of word) take(character);
  return [...lines, line.trimEnd()];
}

/** Wraps a text after a label: the lines below the first one begin under it. */
export function hanging(label: string, text: string, width: number): string {
  const from = widthOf(label);
  return label + wrap(text, Math.max(NARROWEST, width - from)).join(`\n${' '.repeat(from)}`);
}

/** JSON on one line, with blanks between members, at which it can be wrapped. */
export const spacedJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 1)
    .replace(/^( *"(?:[^"\\]|\\.)*"): /gm, '$1:')
    .replace(/([{[])\n */g, '$1')
    .replace(/\n *(?=[}\]])/g, '')
    .replace(/\n */g, ' ');

const NARROWEST = 12;

/** Rows as columns that fit into `width`: the first column keeps its width, the others are wrapped. So a row may have several lines. */
export function wrappedRows(rows: Rows, width: number): string[] {
  const [first = 0, ...others] = widthsOf(rows);
  const most = Math.max(NARROWEST, Math.floor((width - first) / others.length) - 2);
  const limits = [first, ...others.map((one) => Math.min(one, most))];
  return rows.map((row) => {
    const cells = limits.map((limit, at) => (at === 0 ? [row[0] ?? ''] : wrap(row[at] ?? '', limit)));
    const height = Math.max(...cells.map(({ length }) => length));
    const line = (at: number): string => cells.map((cell, column) => pad(cell[at] ?? '', limits[column] ?? 0)).join('  ');
    return Array.from({ length: height }, (_, at) => line(at).trimEnd()).join('\n');
  });
}

/** `1 item`, `2 items`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
