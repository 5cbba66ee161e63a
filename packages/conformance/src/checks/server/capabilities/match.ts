/** Checks of a server: the declarations that count as a form. */
import { expect } from '../../../check.js';
import { codeOf, expectResult, inWords } from '../../../runner/servers.js';
import { INVALID_PARAMS, MISSING_CAPABILITY, MODERN } from '../../../wire/keys.js';
import type { ServerCheck } from '../trial.js';
import { call, formTool } from './tool.js';

export const matchingChecks: readonly ServerCheck[] = [
  {
    id: 'capabilities:bare-elicitation',
    proves: ['BASE-16', 'CAP-20'],
    title: 'A bare elicitation capability means forms',
    faults: ['capabilities-literal'],
    revisions: [MODERN],
    run: async (trial) => {
      formTool(trial);
      expectResult(await call(trial, { elicitation: {} }), 'declared {"elicitation":{}}');
    },
  },
  {
    id: 'capabilities:mode',
    proves: ['BASE-16', 'CAP-20'],
    title: 'A client that shows URLs only is not asked for a form',
    faults: ['capabilities-unchecked', 'capabilities-any-mode', 'capabilities-code'],
    revisions: [MODERN],
    run: async (trial) => {
      formTool(trial);
      const called = await call(trial, { elicitation: { url: {} } });
      expect(codeOf(called) === MISSING_CAPABILITY, `declared {"elicitation":{"url":{}}}, and ${inWords(called)}`, called, ['answer']);
    },
  },
  {
    id: 'capabilities:false',
    proves: ['CAP-21'],
    title: 'A capability declared as false or null is not there',
    faults: ['capabilities-unchecked', 'capabilities-false-counts', 'capabilities-code'],
    revisions: [MODERN],
    run: async (trial) => {
      for (const value of [false, null]) {
        const called = await call(trial, { elicitation: value });
        const refused = [MISSING_CAPABILITY, INVALID_PARAMS].includes(codeOf(called) as number);
        expect(refused, `declared {"elicitation":${value}}, and ${inWords(called)}`, called, ['answer']);
      }
    },
  },
];
