/** Checks of a server: the answer to a call without a capability that it needs (SEP-2575). */
import { expect, NotApplicable } from '../../../check.js';
import { expectRefusal, resultOf, inWords } from '../../../runner/servers.js';
import { at, equal, type Message, short } from '../../../wire/json.js';
import { MISSING_CAPABILITY, MODERN } from '../../../wire/keys.js';
import type { ServerCheck } from '../trial.js';
import { annotationOf, call, DATA, guarded, isShape, named, needs } from './tool.js';

const NAMES = ['capabilities-name-list', 'capabilities-names-true', 'capabilities-names-other'];

export const refusalChecks: readonly ServerCheck[] = [
  {
    id: 'capabilities:refused',
    proves: ['BASE-03', 'CAP-03'],
    title: 'A call without a capability it needs is refused with -32021, 400 and the missing ones as an object',
    faults: ['capabilities-unchecked', 'capabilities-code', 'capabilities-status', ...NAMES, 'capabilities-remembered'],
    revisions: [MODERN],
    run: async (trial) => {
      // Declared first, so that a server which remembers is found out.
      await call(trial, needs(trial));
      const called = await call(trial, {});
      expectRefusal(called, [MISSING_CAPABILITY], 400, `${guarded(trial)} without capabilities`);
      const missing = at(called.answer, 'error', 'data', 'requiredCapabilities');
      const shaped = isShape(missing) && Object.keys(missing as Message).length > 0;
      expect(shaped, `data.requiredCapabilities is ${short(missing)}`, called, DATA);
      const annotated = annotationOf(trial.observed.tools.get(guarded(trial)));
      const beyond = Object.keys(missing as Message).find((name) => annotated !== undefined && !(name in annotated));
      expect(beyond === undefined, `the tool requires ${short(annotated)}, and ${short(beyond)} is named as missing`, called, DATA);
    },
  },
  {
    id: 'capabilities:checked',
    proves: ['CAP-11', 'CAP-15'],
    title: 'A tool that says it needs a capability does not work without it, whatever the client made of that',
    faults: ['capabilities-unchecked', 'capabilities-remembered'],
    revisions: [MODERN],
    run: async (trial) => {
      const called = await call(trial, {});
      expect(resultOf(called) === undefined, `nothing was declared, and ${inWords(called)}`, called, ['answer']);
    },
  },
  {
    id: 'capabilities:each-request',
    proves: ['CAP-02', 'BASE-02'],
    title: 'Capabilities of an earlier request do not count',
    faults: ['capabilities-unchecked', 'capabilities-remembered'],
    revisions: [MODERN],
    run: async (trial) => {
      await call(trial, needs(trial));
      const called = await call(trial, {});
      expect(resultOf(called) === undefined, `declared on an earlier request only, and ${inWords(called)}`, called, ['answer']);
    },
  },
  {
    id: 'capabilities:missing-only',
    proves: ['CAP-22'],
    title: 'The refusal names only what is missing, in its nested shape',
    faults: ['capabilities-names-all', 'capabilities-names-top', ...NAMES],
    revisions: [MODERN],
    run: async (trial) => {
      guarded(trial);
      const both = [...trial.observed.tools].find(([, tool]) => {
        const annotation = annotationOf(tool) ?? {};
        return isShape(annotation) && Object.keys(annotation).length > 1;
      });
      if (both === undefined) throw new NotApplicable('no tool requires two capabilities');
      const [name, tool] = both;
      const [[first, own] = ['', {}], ...others] = Object.entries(annotationOf(tool) ?? {});
      const called = await trial.peer.call(name, {}, { capabilities: { [first]: own } });
      const missing = at(called.answer, 'error', 'data', 'requiredCapabilities');
      const cut = equal(named(missing), named(Object.fromEntries(others)));
      expect(cut, `declared ${first}, and ${short(missing)} is named as missing`, called, DATA);
    },
  },
  {
    id: 'capabilities:nested',
    proves: ['CAP-22'],
    title: 'The refusal keeps the nested shape of what is missing',
    faults: [...NAMES, 'capabilities-unchecked', 'capabilities-remembered'],
    revisions: [MODERN],
    run: async (trial) => {
      const annotated = annotationOf(trial.observed.tools.get(guarded(trial)));
      if (annotated === undefined) throw new NotApplicable('no annotation in the shape of capabilities to compare with');
      const called = await call(trial, {});
      const missing = at(called.answer, 'error', 'data', 'requiredCapabilities');
      const observed = `nothing was declared, the tool requires ${short(annotated)}, and ${short(missing)} is named as missing`;
      expect(equal(named(missing), named(annotated)), observed, called, DATA);
    },
  },
];
