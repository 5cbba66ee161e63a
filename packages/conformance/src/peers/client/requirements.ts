/** transports-wg #31 in the reference client: whether what a tool requires is declared. */
import { at, isObject, type Message } from '../../wire/json.js';
import { FORM, REQUIRED_CAPABILITIES } from '../../wire/keys.js';
import type { Faults } from '../reply.js';

/** Whether the client offers a tool to its model. */
export function offers(faults: Faults, tool: Message): boolean {
  const needs = at(tool, '_meta', REQUIRED_CAPABILITIES);
  if (!isObject(needs)) return !faults.has('capabilities-hides-free');
  const own: Message = faults.has('capabilities-literal') ? { elicitation: {} } : FORM;
  if (faults.has('capabilities-breaks-on-depth') && depthOf(needs) > 64) throw new RangeError('the requirement is too deep');
  const wanted = faults.has('capabilities-ignores-extensions')
    ? Object.fromEntries(Object.entries(needs).filter(([key]) => key !== 'extensions'))
    : needs;
  return met(wanted, own, faults.has('capabilities-shallow') ? 1 : 9);
}

/** CAP-12: every member of the requirement is declared, down to `depth` levels. CAP-23: a requirement that is deeper than any real one is unmet. */
function met(needs: Message, declared: unknown, depth: number): boolean {
  return Object.entries(needs).every(([key, part]) => {
    const own = at(declared, key);
    return isObject(own) && (depth <= 1 || !isObject(part) || met(part, own, depth - 1));
  });
}

function depthOf(value: unknown): number {
  let [depth, level] = [0, [value]];
  while (level.some(isObject)) [depth, level] = [depth + 1, level.filter(isObject).flatMap(Object.values)];
  return depth;
}
