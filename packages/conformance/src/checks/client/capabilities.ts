/** transports-wg #31 on clients: which annotated tools they offer. */
import { expect, NotApplicable } from '../../check.js';
import { ANNOTATED } from '../../scenarios/server.js';
import { at, isObject, short } from '../../wire/json.js';
import type { ClientCheck, ClientTrial } from './trial.js';

/** The tools that the client offered to its model. A client that offers one with an unknown requirement does not match at all. */
async function offered(trial: ClientTrial) {
  const log = await trial.log('capabilities');
  const found = log.received.filter((one) => one.message['method'] === 'tools/call');
  const names = found.map((one) => String(at(one.message, 'params', 'name')));
  const listed = log.received.find((one) => one.message['method'] === 'tools/list');
  if (names.includes('needs_unknown')) throw new NotApplicable('the client offers tools whatever they require');
  expect(names.length > 0, `scenario capabilities: no tool was called; the client ${log.ending}`);
  return { names, form: isForm(at(listed?.declared, 'elicitation')), found };
}
const isForm = (declared: unknown): boolean => isObject(declared) && ('form' in declared || Object.keys(declared).length === 0);

export const capabilityChecks: readonly ClientCheck[] = [
  {
    id: 'capabilities:matching',
    proves: ['CAP-12'],
    title: 'A tool is offered if every part of its requirement is declared, at any depth',
    faults: ['capabilities-shallow', 'capabilities-hides-free'],
    run: async (trial) => {
      const { names } = await offered(trial);
      expect(names.includes('needs_nothing'), `needs_nothing is not among the offered ${names.join(', ')}`);
      expect(!names.includes('needs_more_form'), `needs_more_form is offered: ${short(ANNOTATED['needs_more_form'])}`);
    },
  },
  {
    id: 'capabilities:form',
    proves: ['CAP-20'],
    title: 'A bare elicitation capability satisfies a requirement of forms',
    faults: ['capabilities-literal'],
    run: async (trial) => {
      const { names, form } = await offered(trial);
      expect(
        names.includes('needs_form') === form,
        `forms ${form ? 'are' : 'are not'} declared, and needs_form is ${form ? 'not ' : ''}offered`,
      );
    },
  },
  {
    id: 'capabilities:extensions',
    proves: ['CAP-13'],
    title: 'Requirements inside extensions count, together with the others',
    faults: ['capabilities-ignores-extensions'],
    run: async (trial) => {
      const { names } = await offered(trial);
      for (const name of ['needs_extension', 'needs_both']) expect(!names.includes(name), `${name} is offered: ${short(ANNOTATED[name])}`);
    },
  },
];
