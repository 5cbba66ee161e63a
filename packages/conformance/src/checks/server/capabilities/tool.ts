/** The tool that checks of capabilities call, and what it says that it needs. */
import { expect, Failure, NotApplicable } from '../../../check.js';
import type { Exchange } from '../../../wire/exchange.js';
import { at, equal, isObject, type Message, short } from '../../../wire/json.js';
import { FORM, REQUIRED_CAPABILITIES } from '../../../wire/keys.js';
import type { ServerTrial } from '../trial.js';

export const DATA = ['answer', 'error', 'data'] as const;

/** The name of the tool that needs a capability. */
export function guarded({ observed }: ServerTrial): string {
  if (observed.capabilities === undefined) throw new NotApplicable(observed.absent['capabilities'] ?? '');
  return observed.capabilities.tool;
}

export function annotationOf(tool: unknown): Message | undefined {
  const annotation = at(tool, '_meta', REQUIRED_CAPABILITIES);
  return isObject(annotation) ? annotation : undefined;
}

/** The capabilities that the tool says it needs; check_ask needs a form. */
export function needs(trial: ServerTrial): Message {
  const tool = guarded(trial);
  return annotationOf(trial.observed.tools.get(tool)) ?? FORM;
}

export const call = (trial: ServerTrial, capabilities: Message): Promise<Exchange> => trial.peer.call(guarded(trial), {}, { capabilities });

/** CAP-20: a bare elicitation is one of forms. */
export const named = (capabilities: unknown): unknown =>
  isObject(capabilities) && equal(capabilities['elicitation'], {}) ? { ...capabilities, ...FORM } : capabilities;

/** Checks about forms work on a tool that needs exactly a form, whichever way it says so. */
export function formTool(trial: ServerTrial): void {
  if (!equal(named(needs(trial)), FORM)) throw new Failure(`the check needs a tool that requires ${short(FORM)}, such as check_ask`);
}

/** A declaration is an object of objects; below that, settings may be anything, but not without end. */
export const isShape = (value: unknown): boolean => isObject(value) && Object.values(value).every(isObject) && depthOf(value) <= 8;
const depthOf = (value: unknown): number => (isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);

/** The question of check_ask. */
export async function question(trial: ServerTrial): Promise<Exchange> {
  expect(trial.observed.tools.has('check_ask'), 'the check needs the fixture tool check_ask');
  return trial.peer.call('check_ask', {}, { capabilities: FORM });
}
