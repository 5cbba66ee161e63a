import { parseArguments } from '../arguments/parse.js';
import { usage } from '../failure.js';
import { didYouMean, suggestion } from '../nearest.js';
import { isOn, type CommandAnswer, type Run } from '../run.js';
import { record } from '../record/write.js';
import { preview } from '../session/preview.js';
import { openSession, settled } from '../session/session.js';
import { contentText } from '../session/show.js';
import { targetOf } from '../target/target.js';

export async function run(run: Run): Promise<CommandAnswer> {
  const { target, words } = await targetOf(run);
  const [name, ...given] = words;
  if (name === undefined) throw usage('no NAME of a prompt is given', 'waybill list TARGET shows the prompts of a server.');
  const args = await parseArguments(given, {});
  // Arguments of prompts are texts.
  const texts = Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const request = { method: 'prompts/get' as const, params: { name, arguments: texts } };
  if (isOn(run, 'preview')) return preview(run, target, request);
  const session = await openSession(run, target);
  const { prompts } = await session.client.listPrompts(undefined, session.request);
  const prompt = prompts.find((one) => one.name === name);
  const names = prompts.map((one) => one.name);
  if (prompt === undefined) throw usage(`no prompt is called "${name}"`, suggestion(name, names));
  const missing = (prompt.arguments ?? []).filter((one) => one.required === true && !Object.hasOwn(args, one.name));
  if (missing.length > 0) throw usage(`the prompt ${name} needs ${missing.map((one) => one.name).join(', ')}`);
  const known = (prompt.arguments ?? []).map((one) => one.name);
  for (const unknown of Object.keys(args).filter((one) => !known.includes(one)))
    run.out.note(
      run.out.paintNote('yellow', `note: ${[`${unknown} is not an argument`, didYouMean(unknown, known)].filter(Boolean).join('. ')}`),
    );
  const result = await settled(session, session.client.getPrompt(request.params, session.request));
  record(session, request, result, run);
  run.about.language = session.waybill.languageOf(result);
  return { result, text: result.messages.map(({ role, content }) => `${role}: ${contentText([content])}`).join('\n') };
}
