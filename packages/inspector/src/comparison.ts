/** The same call under up to four contexts. */
import { batch } from '@preact/signals';
import type { PageContext, SendAnswer } from '../../cli/src/inspect/protocol.js';
import { blocksOf, textOf } from './blocks.js';
import { argumentsOf } from './formState.js';
import { jsonIn } from './Json.js';
import { context } from './context.js';
import { presets } from './places.js';
import { sendTask, type Task } from './task.js';

/** The context of the page, or a city. */
export const CONTEXTS = ['compare.here' as const, ...presets.map(({ name }) => name)];
export type ContextName = (typeof CONTEXTS)[number];
export const FIRST_CONTEXTS: readonly ContextName[] = ['city.vienna', 'city.tokyo', 'city.los-angeles'];
const MAX_LINES = 400;

export interface Column {
  readonly name: ContextName;
  readonly answer: SendAnswer;
  readonly lines: readonly string[];
}

/** Calls once under each context that is chosen. */
export async function compareTask(task: Task): Promise<void> {
  const args = argumentsOf(task.form);
  if (args === undefined) return;
  const stop = new AbortController();
  task.stop.value = stop;
  // Everybody calls at the same moment: a second that passes between two calls must not count as a difference.
  const now = context.value?.now ?? new Date().toISOString();
  const columns = await Promise.all(
    task.compared.value.names.map(async (name) => {
      const answer = await sendTask(task, args, { context: { ...contextOf(name), now } }, stop.signal);
      return { name, answer, lines: linesOf(answer) };
    }),
  );
  batch(() => {
    task.compared.value = { ...task.compared.value, columns };
    task.stop.value = undefined;
  });
}

/** A column has the words, zone and formats of its city. The place stays as the context bar has it. */
function contextOf(name: ContextName): Partial<PageContext> {
  const { language, timezone, locale } = presets.find((preset) => preset.name === name) ?? {};
  return { ...(language && { language }), ...(timezone && { timezone }), ...(locale && { locale }) };
}

/** The texts of an answer, line by line; JSON in a text is laid out, so that single members differ. */
function linesOf({ error, result }: SendAnswer): readonly string[] {
  const texts = error === undefined ? blocksOf(result).map(textOf) : [error.message];
  return texts.flatMap((text) => laidOut(text).split('\n')).slice(0, MAX_LINES);
}

function laidOut(text: string): string {
  const json = jsonIn(text);
  return json === undefined ? text : JSON.stringify(json, null, 1);
}
