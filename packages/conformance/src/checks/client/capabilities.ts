/** transports-wg #31 on clients: which annotated tools they offer. */
import { expect, NotApplicable } from '../../check.js';
import { ANNOTATED } from '../../scenarios/data.js';
import { at, isObject, short } from '../../wire/json.js';
import { MODERN } from '../../wire/keys.js';
import { type ClientCheck, type ClientTrial, expectSent, requests } from './trial.js';

/** The tools that the client offered to its model. A client that offers one with an unknown requirement does not match at all. */
async function offered(trial: ClientTrial) {
  const log = await trial.log('capabilities');
  const found = log.received.filter((one) => one.message['method'] === 'tools/call');
  const names = found.map((one) => String(at(one.message, 'params', 'name')));
  const listed = log.received.find((one) => one.message['method'] === 'tools/list');
  if (names.includes('needs_unknown')) throw new NotApplicable('the client offers tools whatever they require');
  expect(names.length > 0, `scenario capabilities: no tool was called; the client ${log.ending}`);
  return { names, form: isForm(at(listed?.declared, 'elicitation')), declared: listed?.declared };
}
const isForm = (declared: unknown): boolean => isObject(declared) && ('form' in declared || Object.keys(declared).length === 0);

/** Tells whether the tools were listed again after the refused call of a scenario. */
async function listedAgain(trial: ClientTrial, scenario: string) {
  const log = await requests(trial, scenario);
  const refused = log.findLastIndex((one) => one.message['method'] === 'tools/call');
  const one = log[refused];
  expect(one !== undefined, `scenario ${scenario}: no tool was called`);
  return { one, again: log.slice(refused).some(({ message }) => message['method'] === 'tools/list') };
}

/** A client that breaks offers nothing any more, which every check finds. */
const BREAKS = ['capabilities-breaks-on-depth'];

export const capabilityChecks: readonly ClientCheck[] = [
  {
    id: 'capabilities:matching',
    proves: ['CAP-12'],
    title: 'A tool is offered if every part of its requirement is declared, at any depth',
    faults: ['capabilities-shallow', 'capabilities-hides-free', ...BREAKS],
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
    faults: ['capabilities-literal', ...BREAKS],
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
    proves: ['CAP-13', 'CAP-24'],
    title: 'Requirements inside extensions count, together with the others',
    faults: ['capabilities-ignores-extensions', ...BREAKS],
    run: async (trial) => {
      const { names, declared } = await offered(trial);
      const tasks = at(declared, 'extensions', 'io.modelcontextprotocol/tasks') !== undefined;
      expect(
        names.includes('needs_tasks') === tasks,
        `tasks ${tasks ? 'are' : 'are not'} declared, and needs_tasks is ${tasks ? 'not ' : ''}offered`,
      );
      for (const name of ['needs_extension', 'needs_both']) expect(!names.includes(name), `${name} is offered: ${short(ANNOTATED[name])}`);
    },
  },
  {
    id: 'capabilities:depth',
    proves: ['CAP-23'],
    title: 'A requirement that is nested hundreds of levels deep disturbs no other tool',
    faults: ['capabilities-hides-free', ...BREAKS],
    run: async (trial) => {
      const { names } = await offered(trial);
      expect(names.includes('needs_nothing'), `the offered tools are ${names.join(', ')}`);
    },
  },
  {
    id: 'capabilities:stale',
    proves: ['CAP-16'],
    title: 'After a refusal for a missing capability the tools are asked for again, not taken from a cache',
    faults: ['capabilities-keeps-list', ...BREAKS],
    revisions: [MODERN],
    run: async (trial) => {
      await offered(trial);
      const { again, one } = await listedAgain(trial, 'stale');
      expectSent(again, 'the list that came before the refusal was used again', one);
    },
  },
  {
    id: 'capabilities:error-code',
    proves: ['LANG-27'],
    title: 'A refusal is known by its code, whatever the language of its message',
    faults: ['branches-on-message', ...BREAKS],
    revisions: [MODERN],
    run: async (trial) => {
      await offered(trial);
      if (!(await listedAgain(trial, 'stale')).again) throw new NotApplicable('the client does nothing about a refusal in English');
      const { again, one } = await listedAgain(trial, 'translated');
      expectSent(again, 'the tools are listed again after a refusal in English, and not after the same refusal in French', one);
    },
  },
];
