/** Columns a text takes in a terminal: East Asian characters take two, marks and bidirectional isolates none. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of text.replace(/\u001b\[\d+m/g, ''))
    if (!/[\p{Mn}\p{Me}\p{Cf}]/u.test(character))
      columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(character) ? 2 : 1;
  return columns;
}

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Rows as columns, two blanks apart. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, widthOf(cell))), []);
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
