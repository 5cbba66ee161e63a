import { usage } from '../failure.js';
import { didYouMean } from '../nearest.js';
import { clean, type Output } from '../output.js';
import type { Outcome, Run } from '../run.js';
import type { Told } from '../try/chapter.js';
import { chapters } from '../try/chapters.js';
import { Stage } from '../try/stage.js';

const OPENING = `An MCP call says nothing about its user, so servers guess: the wrong day, the wrong language, a cart that is gone.
Waybill puts the user's context on every request. Each chapter makes the same call without and with it, on real servers.`;

const CLOSING = `Type next, with npx in front where waybill is not installed:
  waybill call today --lang fr --tz Asia/Tokyo --messages -- waybill shop     what crosses the wire
  waybill compare sales "period=last month" --as vienna --as tokyo -- waybill shop
  waybill doctor -- YOUR SERVER                                               what your own server does with it
  waybill --help                                                             everything else`;

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
    say(`\n${out.paint('bold', `${index + 1}/${chosen.length}  ${chapter.title}`)}  ${out.paint('dim', `waybill try ${name}`)}`);
    const one = await chapter.show(stage);
    told.push({ name, ok: one.problems.length === 0, ...one });
    say(textOf(one, out));
  }
  const ok = told.every((one) => one.ok);
  const closing = ok ? (run.words.length === 0 ? `\n${out.paint('dim', CLOSING)}` : '') : '\nSomething did not hold: see "failed" above.';
  return { ok, result: { chapters: told }, text: closing };
}

function textOf({ call, without, with: withContext, because, problems }: Told, out: Output): string {
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
    ...block('failed', problems, (text) => out.paint('red', text)),
  ].join('\n');
}
