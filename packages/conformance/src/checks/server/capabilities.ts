/** Capabilities of one request: SEP-2575, and transports-wg #31 for annotated tools. */
import { expect, Failure, NotApplicable } from '../../check.js';
import { codeOf, expectRefusal, expectResult, resultOf, told } from '../../runner/servers.js';
import { at, equal, isObject, type Message, short } from '../../wire/json.js';
import { INVALID_PARAMS, MISSING_CAPABILITY, MODERN, REQUIRED_CAPABILITIES } from '../../wire/keys.js';
import { type ServerCheck, type ServerTrial, toolsIn } from './trial.js';

const modern = { revisions: [MODERN] } as const;
const DATA = ['answer', 'error', 'data'] as const;
const FORM = { elicitation: { form: {} } };

function guarded({ observed }: ServerTrial): string {
  if (observed.capabilities === undefined) throw new NotApplicable(observed.absent['capabilities'] ?? '');
  return observed.capabilities.tool;
}

function annotationOf(tool: unknown): Message | undefined {
  const annotation = at(tool, '_meta', REQUIRED_CAPABILITIES);
  return isObject(annotation) ? annotation : undefined;
}

/** The capabilities that the tool says it needs; check_ask needs a form. */
function needs(trial: ServerTrial): Message {
  const tool = guarded(trial);
  return annotationOf(trial.observed.tools.get(tool)) ?? FORM;
}

const call = (trial: ServerTrial, capabilities: Message) => trial.peer.call(guarded(trial), {}, { capabilities });

/** Checks about forms work on a tool that needs exactly a form. */
function formTool(trial: ServerTrial): void {
  if (!equal(needs(trial), FORM)) throw new Failure(`the check needs a tool that requires ${short(FORM)}, such as check_ask`);
}

/** A declaration is an object of objects; below that, settings may be anything, but not without end. */
const isShape = (value: unknown): boolean => isObject(value) && Object.values(value).every(isObject) && depthOf(value) <= 8;
const depthOf = (value: unknown): number => (isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);

const NAMES = ['capabilities-name-list', 'capabilities-names-true', 'capabilities-names-other'];

export const capabilityChecks: readonly ServerCheck[] = [
  {
    ...modern,
    id: 'capabilities:refused',
    proves: ['BASE-03', 'CAP-03', 'CAP-11', 'CAP-15'],
    title: 'A call without a capability it needs is refused with -32021, 400 and the missing ones as an object',
    faults: ['capabilities-unchecked', 'capabilities-code', 'capabilities-status', ...NAMES, 'capabilities-remembered'],
    run: async (trial) => {
      // Declared first, so that a server which remembers is found out.
      await call(trial, needs(trial));
      const called = await call(trial, {});
      expectRefusal(called, [MISSING_CAPABILITY], 400, `${guarded(trial)} without capabilities`);
      const missing = at(called.answer, 'error', 'data', 'requiredCapabilities');
      const named = isShape(missing) && Object.keys(missing as Message).length > 0;
      expect(named, `data.requiredCapabilities is ${short(missing)}`, called, DATA);
      const annotated = annotationOf(trial.observed.tools.get(guarded(trial)));
      const beyond = Object.keys(missing as Message).find((name) => annotated !== undefined && !(name in annotated));
      expect(beyond === undefined, `the tool requires ${short(annotated)}, and ${short(beyond)} is named as missing`, called, DATA);
    },
  },
  {
    ...modern,
    id: 'capabilities:each-request',
    proves: ['CAP-02', 'BASE-02'],
    title: 'Capabilities of an earlier request do not count',
    faults: ['capabilities-unchecked', 'capabilities-remembered'],
    run: async (trial) => {
      await call(trial, needs(trial));
      const called = await call(trial, {});
      expect(resultOf(called) === undefined, `declared on an earlier request only, and ${told(called)}`, called, ['answer']);
    },
  },
  {
    ...modern,
    id: 'capabilities:missing-only',
    proves: ['CAP-22'],
    title: 'The refusal names only what is missing',
    faults: ['capabilities-names-all', 'capabilities-names-other'],
    run: async (trial) => {
      guarded(trial);
      const both = [...trial.observed.tools].find(([, tool]) => Object.keys(annotationOf(tool) ?? {}).length > 1);
      if (both === undefined) throw new NotApplicable('no tool requires two capabilities');
      const [name, tool] = both;
      const [[first, own] = ['', {}], ...others] = Object.entries(annotationOf(tool) ?? {});
      const called = await trial.peer.call(name, {}, { capabilities: { [first]: own } });
      const missing = at(called.answer, 'error', 'data', 'requiredCapabilities');
      const named = isObject(missing) ? Object.keys(missing).sort() : missing;
      expect(equal(named, others.map(([key]) => key).sort()), `declared ${first}, and ${short(missing)} is named as missing`, called, DATA);
    },
  },
  {
    ...modern,
    id: 'capabilities:bare-elicitation',
    proves: ['BASE-16', 'CAP-20'],
    title: 'A bare elicitation capability means forms',
    faults: ['capabilities-literal'],
    run: async (trial) => {
      formTool(trial);
      expectResult(await call(trial, { elicitation: {} }), 'declared {"elicitation":{}}');
    },
  },
  {
    ...modern,
    id: 'capabilities:mode',
    proves: ['BASE-16', 'CAP-20'],
    title: 'A client that shows URLs only is not asked for a form',
    faults: ['capabilities-unchecked', 'capabilities-any-mode', 'capabilities-code'],
    run: async (trial) => {
      formTool(trial);
      const called = await call(trial, { elicitation: { url: {} } });
      expect(codeOf(called) === MISSING_CAPABILITY, `declared {"elicitation":{"url":{}}}, and ${told(called)}`, called, ['answer']);
    },
  },
  {
    ...modern,
    id: 'capabilities:false',
    proves: ['CAP-21'],
    title: 'A capability declared as false or null is not there',
    faults: ['capabilities-unchecked', 'capabilities-false-counts', 'capabilities-code'],
    run: async (trial) => {
      for (const value of [false, null]) {
        const called = await call(trial, { elicitation: value });
        const refused = [MISSING_CAPABILITY, INVALID_PARAMS].includes(codeOf(called) as number);
        expect(refused, `declared {"elicitation":${value}}, and ${told(called)}`, called, ['answer']);
      }
    },
  },
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
    ...modern,
    id: 'capabilities:asks',
    proves: ['BASE-14', 'CAP-04'],
    title: 'A server asks by an input-required result, and only for what was declared',
    faults: ['capabilities-asks-more', 'capabilities-request'],
    run: async (trial) => {
      if (!trial.observed.tools.has('check_ask')) throw new Failure('the check needs the fixture tool check_ask');
      const called = await trial.peer.call('check_ask', {}, { capabilities: FORM });
      const asked = called.others.find((one) => one['id'] !== undefined);
      expect(asked === undefined, `a request ${short(asked?.['method'])} was sent to the client`, called, ['others']);
      const result = expectResult(called, 'check_ask');
      const requests = isObject(result['inputRequests']) ? Object.values(result['inputRequests']) : [];
      const path = ['answer', 'result', 'inputRequests'];
      expect(requests.length > 0, `check_ask gave ${told(called)}`, called, ['answer', 'result']);
      for (const one of requests) {
        const covered = at(one, 'method') === 'elicitation/create' && at(one, 'params', 'mode') !== 'url';
        expect(covered, `declared ${short(FORM)}, asked ${short(at(one, 'method'))}`, called, path);
      }
    },
  },
  {
    ...modern,
    id: 'capabilities:list-scope',
    proves: ['CAP-17'],
    title: 'A list that depends on capabilities is private',
    faults: ['capabilities-public-variant'],
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
