import { usage } from '../failure.js';
import { suggestion } from '../nearest.js';
import { clean, type Style } from '../output.js';
import { asTyped } from '../program.js';
import type { CommandAnswer, Run } from '../run.js';
import type { Told } from '../try/chapter.js';
import { chapters } from '../try/chapters.js';
import { hanging, spacedJson, wrap } from '../table.js';
import { Stage } from '../try/stage.js';

const OPENING = [
  'An MCP call says nothing about its user, so servers guess: the wrong day, the wrong language, a cart that is gone.',
  "Waybill puts the user's context on every request. Each chapter makes the same call without and with it, on real servers.",
];

const NEXT = [
  ['waybill doctor -- YOUR COMMAND', 'what your server does with each concern, and the fix'],
  ['waybill inspect', 'the same as a page: change the context and watch'],
  ['waybill --help', 'every command'],
] as const;

export async function run(run: Run): Promise<CommandAnswer> {
  const known = Object.keys(chapters);
  for (const word of run.words) if (!known.includes(word)) throw usage(`no chapter is called "${word}"`, suggestion(word, known));
  const chosen = Object.entries(chapters).filter(([name]) => run.words.length === 0 || run.words.includes(name));
  const { out } = run;
  const say = (text: string): void => {
    if (!out.json) out.data(text);
  };
  const stage = new Stage(run);
  const told: (Told & { name: string; ok: boolean })[] = [];
  if (run.words.length === 0) say(OPENING.flatMap((line) => wrap(line, out.columns)).join('\n'));
  for (const [index, [name, chapter]] of chosen.entries()) {
    say(`\n${out.paint('bold', `${index + 1}/${chosen.length}  ${chapter.title}`)}`);
    const one = await chapter.show(stage);
    told.push({ name, ok: one.problems.length === 0, ...one });
    say(textOf(one, run));
  }
  const ok = told.every((one) => one.ok);
  const longest = Math.max(...NEXT.map(([line]) => asTyped(line, run.env).length));
  const next = NEXT.map(([line, why]) =>
    hanging(`  ${out.paint('cyan', asTyped(line, run.env).padEnd(longest))}  `, why, out.columns),
  ).join('\n');
  const end = run.words.length === 0 ? `\nNow your own server, and everything else:\n${next}` : '';
  return { ok, result: { chapters: told }, text: ok ? end : '\nSomething did not hold: see "failed" above.' };
}

function textOf({ call, without, with: withContext, because, type, problems }: Told, { env, out }: Run): string {
  const block = (label: string, lines: readonly string[], style: Style): string[] =>
    lines.map((line, at) => `    ${(at === 0 ? label : '').padEnd(9)}${out.paint(style, clean(line))}`);
  const wrapped = (lines: readonly string[]): string[] => lines.flatMap((line) => wrap(line, out.columns - 13));
  const keys = because.map(([, key, value]) => `${key} ${spacedJson(value)}`);
  return [
    ...wrap(call, out.columns - 2).map((line) => `  ${line}`),
    ...block('without', wrapped(without), 'dim'),
    ...block('with', wrapped(withContext), 'green'),
    ...block('because', wrapped(keys), 'yellow'),
    ...block(
      'type',
      type.flatMap((line) => continued(asTyped(line, env), out.columns - 13)),
      'cyan',
    ),
    ...block('failed', wrapped(problems), 'red'),
  ].join('\n');
}

/** A command on several lines, each of which a shell continues: it can be copied as it stands. Quoted texts stay whole. */
function continued(command: string, width: number): string[] {
  const whole = command.replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replaceAll(' ', '\u00a0'));
  const lines = wrap(whole, width - 2).map((line) => line.replaceAll('\u00a0', ' '));
  return lines.map((line, at) => (at === lines.length - 1 ? line : `${line} \\`));
}
