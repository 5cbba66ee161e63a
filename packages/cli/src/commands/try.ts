import { usage } from '../failure.js';
import { didYouMean } from '../nearest.js';
import { clean, type Output } from '../output.js';
import type { Outcome, Run } from '../run.js';
import type { Told } from '../try/chapter.js';
import { chapters } from '../try/chapters.js';
import { Stage } from '../try/stage.js';

const OPENING = `An MCP call says nothing about its user, so servers guess: the wrong day, the wrong language, a cart that is gone.
Waybill puts the user's context on every request. Each chapter makes the same call without and with it, on real servers.`;

const closing = (waybill: string): string => `Now your own server, and everything else:
  ${waybill} doctor -- YOUR COMMAND     what your server does with each concern, and the fix
  ${waybill} inspect                    the same as a page: change the context and watch
  ${waybill} --help                     every command`;

/** Under npm and npx the command is not on the path. */
const nameIn = ({ env }: Run): string => (env['npm_execpath'] === undefined ? 'waybill' : 'npx waybill');

export async function run(run: Run): Promise<Outcome> {
  const known = Object.keys(chapters);
  for (const word of run.words)
    if (!known.includes(word)) throw usage(`no chapter is called "${word}"`, didYouMean(word, known) ?? `There are: ${known.join(', ')}.`);
  const chosen = Object.entries(chapters).filter(([name]) => run.words.length === 0 || run.words.includes(name));
  const { out } = run;
  const say = (text: string): void => {
    if (!out.json) out.data(text);
  };
  const stage = new Stage(run);
  const told: (Told & { name: string; ok: boolean })[] = [];
  if (run.words.length === 0) say(OPENING);
  for (const [index, [name, chapter]] of chosen.entries()) {
    say(`\n${out.paint('bold', `${index + 1}/${chosen.length}  ${chapter.title}`)}`);
    const one = await chapter.show(stage);
    told.push({ name, ok: one.problems.length === 0, ...one });
    say(textOf(one, nameIn(run), out));
  }
  const ok = told.every((one) => one.ok);
  const end = run.words.length === 0 ? `\n${closing(nameIn(run))}` : '';
  return { ok, result: { chapters: told }, text: ok ? end : '\nSomething did not hold: see "failed" above.' };
}

function textOf({ call, without, with: withContext, because, type, problems }: Told, waybill: string, out: Output): string {
  const block = (label: string, lines: readonly string[], paint: (text: string) => string): string[] =>
    lines.map((line, at) => `    ${(at === 0 ? label : '').padEnd(9)}${paint(clean(line))}`);
  return [
    `  ${call}`,
    ...block('without', without, (text) => out.paint('dim', text)),
    ...block('with', withContext, (text) => out.paint('green', text)),
    ...block(
      'because',
      because.map(([, key, value]) => `${key} ${JSON.stringify(value)}`),
      (text) => out.paint('yellow', text),
    ),
    ...block('type', [`${waybill} ${type}`], (text) => out.paint('cyan', text)),
    ...block('failed', problems, (text) => out.paint('red', text)),
  ].join('\n');
}
