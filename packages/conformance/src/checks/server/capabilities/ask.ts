/** Questions and lists that depend on capabilities: SEP-2575, and transports-wg #31 for annotated tools. */
import { expect } from '../../../check.js';
import { expectResult, resultOf, inWords } from '../../../runner/servers.js';
import { at, equal, isObject, short } from '../../../wire/json.js';
import { FORM, MODERN, REQUIRED_CAPABILITIES } from '../../../wire/keys.js';
import { type ServerCheck, toolsIn } from '../trial.js';
import { guarded, isShape, question } from './tool.js';

export const askingChecks: readonly ServerCheck[] = [
  {
    id: 'capabilities:annotation',
    proves: ['CAP-10'],
    title: 'An annotation has the shape of client capabilities',
    faults: ['capabilities-annotation-list', 'capabilities-annotation-text'],
    run: async (trial) => {
      guarded(trial);
      const listed = await trial.peer.request('tools/list', { capabilities: FORM });
      toolsIn(listed.answer).forEach((tool, index) => {
        const annotation = at(tool, '_meta', REQUIRED_CAPABILITIES);
        if (annotation === undefined) return;
        const path = ['answer', 'result', 'tools', index, '_meta'];
        expect(isShape(annotation), `${short(tool['name'])} is annotated with ${short(annotation)}`, listed, path);
      });
    },
  },
  {
    id: 'capabilities:asks',
    proves: ['BASE-14', 'CAP-04'],
    title: 'A server asks by an input-required result, and only for what was declared',
    faults: ['capabilities-asks-more', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      const called = await question(trial);
      const asked = called.others.find((one) => one['id'] !== undefined);
      expect(asked === undefined, `a request ${short(asked?.['method'])} was sent to the client`, called, ['others']);
      const result = expectResult(called, 'check_ask');
      const requests = isObject(result['inputRequests']) ? Object.values(result['inputRequests']) : [];
      const path = ['answer', 'result', 'inputRequests'];
      expect(requests.length > 0, `check_ask gave ${inWords(called)}`, called, ['answer', 'result']);
      for (const one of requests) {
        const covered = at(one, 'method') === 'elicitation/create' && at(one, 'params', 'mode') !== 'url';
        expect(covered, `declared ${short(FORM)}, asked ${short(at(one, 'method'))}`, called, path);
      }
    },
  },
  {
    id: 'capabilities:request-state',
    proves: ['BASE-14'],
    title: 'The request state of a question is a string',
    faults: ['capabilities-state-object'],
    revisions: [MODERN],
    run: async (trial) => {
      const asked = await question(trial);
      const requestState = at(resultOf(asked), 'requestState');
      const opaque = requestState === undefined || typeof requestState === 'string';
      expect(opaque, `the request state is ${short(requestState)}`, asked, ['answer', 'result', 'requestState']);
    },
  },
  {
    id: 'capabilities:list-scope',
    proves: ['CAP-17'],
    title: 'A list that depends on capabilities is private',
    faults: ['capabilities-public-variant'],
    revisions: [MODERN],
    run: async (trial) => {
      guarded(trial);
      const bare = await trial.peer.request('tools/list');
      const able = await trial.peer.request('tools/list', { capabilities: FORM });
      const names = (list: typeof bare) =>
        toolsIn(list.answer)
          .map((tool) => String(tool['name']))
          .sort();
      if (equal(names(bare), names(able))) return;
      const scope = at(able.answer, 'result', 'cacheScope');
      expect(scope === 'private', `the list changes with the capabilities and its scope is ${short(scope)}`, able, [
        'answer',
        'result',
        'cacheScope',
      ]);
    },
  },
];
