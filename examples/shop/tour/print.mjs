import { styleText } from 'node:util';

const plain = process.env.NO_COLOR !== undefined || !process.stdout.isTTY;
const style = (format, text) => (plain ? text : styleText(format, text));

export function heading(index, of, title) {
  console.log(`\n${style('bold', `${index}/${of}  ${title}`)}\n${'─'.repeat(Math.min(78, title.length + 6))}`);
}

export function say(text) {
  console.log(text);
}

/** The same call without and with its context, and the part of the message that made the difference. */
export function compare({ call, without, withContext, because }) {
  console.log(`  ${style('cyan', call)}`);
  console.log(`    without  ${style('dim', without)}`);
  console.log(`    with     ${style('green', withContext)}`);
  if (because !== undefined)
    console.log(`    because  ${style('yellow', typeof because === 'string' ? because : JSON.stringify(because))}`);
}

export function table(head, rows) {
  const widths = head.map((cell, column) => Math.max(width(cell), ...rows.map((row) => width(row[column]))));
  const line = (cells) => `  ${cells.map((cell, column) => cell + ' '.repeat(widths[column] - width(cell))).join('  ')}`.trimEnd();
  console.log(style('dim', line(head)));
  for (const row of rows) console.log(line(row));
}

/** Columns a text takes in a terminal: East Asian characters take two. */
function width(text) {
  let columns = 0;
  for (const character of text)
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(character) ? 2 : 1;
  return columns;
}

export function closing() {
  console.log(`\n${style('dim', 'That was all. The code of each chapter is in examples/shop/tour.')}`);
}
