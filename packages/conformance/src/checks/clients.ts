/** Every check of a client, in the order of a report. */
import { ANNOTATED, REQUEST_STATE, STATE_KEPT } from '../scenarios/server.js';
import { at, equal, isObject, short } from '../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CLIENT_CONTEXT, MODERN, PROTOCOL_VERSION } from '../wire/keys.js';
import { calls, type ClientCheck, type ClientTrial, contexts, expectSent, metaOf, NotApplicable, requests, stateSent } from './client.js';
import { expect } from '../check.js';

const http = { transports: ['http'] } as const;
const stdio = { transports: ['stdio'] } as const;
const modern = { revisions: [MODERN] } as const;
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
const RANGE = /^(?:\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;
const STAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const isZone = (value: unknown): boolean => {
  if (typeof value !== 'string' || /^[+-]|^$/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
const isTag = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
};

const protocolChecks: ClientCheck[] = [
  {
    ...modern,
    id: 'protocol:envelope',
    proves: ['BASE-01', 'CAP-01'],
    title: 'Every request names its revision and its capabilities',
    faults: ['no-envelope'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        expectSent(metaOf(one, PROTOCOL_VERSION) === MODERN, `${short(one.message['method'])} names no revision`, one, 'params', '_meta');
        expectSent(
          isObject(metaOf(one, CLIENT_CAPABILITIES)),
          `${short(one.message['method'])} declares no capabilities`,
          one,
          'params',
          '_meta',
        );
      }
    },
  },
  {
    ...modern,
    ...http,
    id: 'protocol:headers',
    proves: ['BASE-07'],
    title: 'Headers repeat revision, method and name of the body',
    faults: ['wrong-headers'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const method = String(one.message['method']);
        const name = NAMED[method];
        const expected = {
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          ...(name !== undefined && { 'mcp-name': at(one.message, 'params', name) }),
        };
        for (const [key, value] of Object.entries(expected)) {
          const sent = one.headers[key] ?? [];
          expectSent(sent.length === 1 && sent[0] === value, `${key} is ${short(sent)}, the body says ${short(value)}`, one);
        }
      }
    },
  },
  {
    id: 'protocol:progress-token',
    proves: ['TRACE-06'],
    title: 'A progress token is a string or an integer',
    faults: ['progress-token-object'],
    run: async (trial) => {
      const tokens = (await requests(trial, 'tools_call')).filter((one) => metaOf(one, 'progressToken') !== undefined);
      if (tokens.length === 0) throw new NotApplicable('no request carried a progress token');
      for (const one of tokens) {
        const token = metaOf(one, 'progressToken');
        expectSent(
          typeof token === 'string' || Number.isInteger(token),
          `the token is ${short(token)}`,
          one,
          'params',
          '_meta',
          'progressToken',
        );
      }
    },
  },
  {
    ...modern,
    id: 'protocol:retry',
    proves: ['BASE-14'],
    title: 'The answer to a question returns the request state as it came, with an id of its own',
    faults: ['changes-request-state', 'reuses-id'],
    run: async (trial) => {
      const [first, second] = await questions(trial);
      const state = at(second.message, 'params', 'requestState');
      expectSent(
        state === REQUEST_STATE,
        `the request state ${REQUEST_STATE} came back as ${short(state)}`,
        second,
        'params',
        'requestState',
      );
      expectSent(second.message['id'] !== first.message['id'], 'the retry has the id of the first request', second, 'id');
    },
  },
];

/** Both legs of a question; a client that cannot be asked has none. */
async function questions(trial: ClientTrial) {
  const [first, second] = await calls(trial, 'question', 'check_ask');
  if (first === undefined || at(first.declared, 'elicitation') === undefined) throw new NotApplicable('the client declares no elicitation');
  expectSent(second !== undefined, 'the question was never answered', first);
  return [first, second] as const;
}

const languageChecks: ClientCheck[] = [
  {
    id: 'language:every-request',
    proves: ['LANG-01'],
    title: 'Every request carries the preference',
    faults: ['language-only-calls'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call'))
        expectSent(
          metaOf(one, ACCEPT_LANGUAGE) !== undefined,
          `${short(one.message['method'])} carries no preference`,
          one,
          'params',
          '_meta',
        );
    },
  },
  {
    id: 'language:syntax',
    proves: ['LANG-02'],
    title: 'The preference has the syntax of Accept-Language',
    faults: ['language-underscore'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const value = metaOf(one, ACCEPT_LANGUAGE);
        const fits = value === undefined || (typeof value === 'string' && value.split(',').every((part) => RANGE.test(part.trim())));
        expectSent(fits, `${short(value)} is no list of language ranges`, one, 'params', '_meta', ACCEPT_LANGUAGE);
      }
    },
  },
  {
    ...http,
    id: 'language:mirror',
    proves: ['LANG-40'],
    title: 'Accept-Language repeats the preference exactly',
    faults: ['language-no-header'],
    run: async (trial) => {
      for (const one of [...(await requests(trial, 'tools_call')), ...(await requests(trial, 'language'))]) {
        const value = metaOf(one, ACCEPT_LANGUAGE);
        const sent = (one.headers['accept-language'] ?? []).join(', ');
        expectSent(value === undefined || sent === value, `_meta says ${short(value)}, the header ${short(sent)}`, one);
      }
    },
  },
  {
    ...http,
    id: 'language:one-line',
    proves: ['LANG-41'],
    title: 'Accept-Language is one header line',
    faults: ['language-two-lines'],
    run: async (trial) => {
      for (const one of await requests(trial, 'language')) {
        const lines = one.headers['accept-language'] ?? [];
        expectSent(lines.length <= 1, `${lines.length} lines of Accept-Language`, one);
      }
    },
  },
  {
    id: 'language:cache',
    proves: ['LANG-60', 'BASE-11'],
    title: 'A list kept for one language is not used for another',
    faults: ['language-cached', 'language-only-calls'],
    run: async (trial) => {
      const listed = (await requests(trial, 'language')).filter((one) => one.message['method'] === 'tools/list');
      const asked = new Set(listed.map((one) => metaOf(one, ACCEPT_LANGUAGE)));
      const last = listed.at(-1);
      const observed = `the language changed to de, and tools/list was only asked for ${short([...asked])}`;
      if (last === undefined) await calls(trial, 'language', 'tools/list');
      else expectSent(asked.size >= 2, observed, last, 'params', '_meta');
    },
  },
  {
    ...http,
    id: 'language:malformed-answer',
    proves: ['LANG-49'],
    title: 'An answer whose header and body name different languages is an error',
    faults: ['language-accepts-mismatch'],
    run: async (trial) => {
      const [called] = await calls(trial, 'language', 'check_mismatch');
      const failed = (await requests(trial, 'language')).some((one) => at(one.message, 'params', 'name') === 'check_failed');
      if (called !== undefined) expectSent(failed, 'Content-Language said fr, the body de, and the call succeeded', called);
    },
  },
];

/** A timestamp without fractions of a second may stay the same for a second. */
const isLater = (second: unknown, first: unknown): boolean => {
  const [before, after] = [Date.parse(String(first)), Date.parse(String(second))];
  return String(second).includes('.') ? after > before : after >= before;
};

const environmentChecks: ClientCheck[] = [
  {
    id: 'environment:zone',
    proves: ['CTX-03'],
    title: 'The zone is an IANA identifier',
    faults: ['environment-offset-as-zone'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'timezone')) expectSent(isZone(value), `timezone is ${short(value)}`, one);
    },
  },
  {
    id: 'environment:timestamp',
    proves: ['CTX-04'],
    title: 'The timestamp has date, time and offset',
    faults: ['environment-local-time'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'currentTimestamp'))
        expectSent(typeof value === 'string' && STAMP.test(value), `currentTimestamp is ${short(value)}`, one);
    },
  },
  {
    id: 'environment:locale',
    proves: ['CTX-05'],
    title: 'The locale is a language tag',
    faults: ['environment-underscore'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'locale')) expectSent(isTag(value), `locale is ${short(value)}`, one);
    },
  },
  {
    id: 'environment:location',
    proves: ['CTX-06'],
    title: 'The location has a two-letter country, texts, and coordinates within their bounds',
    faults: ['environment-country-name'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'userLocation')) {
        const { country, city, region, coordinates } = isObject(value) ? value : {};
        const texts = [city, region].every((text) => text === undefined || typeof text === 'string');
        const within = (part: unknown, most: number) => part === undefined || (typeof part === 'number' && Math.abs(part) <= most);
        const placed = within(at(coordinates, 'latitude'), 90) && within(at(coordinates, 'longitude'), 180);
        const fits = texts && placed && (country === undefined || (typeof country === 'string' && /^[A-Za-z]{2}$/.test(country)));
        expectSent(isObject(value) && fits, `userLocation is ${short(value)}`, one);
      }
    },
  },
  {
    id: 'environment:carrier',
    proves: ['CTX-20'],
    title: 'The context stands in _meta, where SDKs let it through',
    faults: ['environment-beside'],
    wire: 'current',
    run: async (trial) => {
      for (const one of await requests(trial, 'environment'))
        expectSent(one.message['clientContext'] === undefined, 'clientContext stands beside params', one, 'clientContext');
    },
  },
  {
    id: 'environment:seed-carrier',
    proves: ['CTX-20'],
    title: 'The context stands beside params',
    faults: ['environment-in-meta'],
    wire: 'seed',
    run: async (trial) => {
      for (const one of await calls(trial, 'environment', 'check_meta'))
        expectSent(isObject(one.message['clientContext']), 'no clientContext stands beside params', one, 'params', '_meta', CLIENT_CONTEXT);
    },
  },
  {
    id: 'environment:arguments',
    proves: ['CTX-15'],
    title: 'The context is not among the arguments of a tool',
    faults: ['environment-in-arguments'],
    run: async (trial) => {
      for (const one of await calls(trial, 'environment', 'check_meta')) {
        const args = at(one.message, 'params', 'arguments');
        expectSent(
          Object.keys(isObject(args) ? args : {}).length === 0,
          `check_meta was called with ${short(args)}`,
          one,
          'params',
          'arguments',
        );
      }
    },
  },
  {
    id: 'environment:fresh',
    proves: ['CTX-13'],
    title: 'Each call has the timestamp of its own moment',
    faults: ['environment-old-time'],
    run: async (trial) => {
      const stamps = await contexts(trial, 'currentTimestamp');
      const [first, second] = stamps.map(({ value }) => value);
      const last = stamps.at(-1);
      if (first === undefined || second === undefined || last === undefined)
        throw new NotApplicable('fewer than two calls carried a timestamp');
      expectSent(isLater(second, first), `the first call says ${short(stamps[0]?.value)}, the next one ${short(last.value)}`, last.one);
    },
  },
  {
    ...modern,
    id: 'environment:fresh-retry',
    proves: ['IX-14'],
    title: 'The answer to a question has the timestamp of its own moment',
    faults: ['environment-old-time'],
    run: async (trial) => {
      const legs = await questions(trial);
      const [first, second] = legs.map((one) => at(metaOf(one, CLIENT_CONTEXT) ?? one.message['clientContext'], 'currentTimestamp'));
      if (first === undefined) throw new NotApplicable('no timestamp was sent');
      expectSent(isLater(second, first), `the request says ${short(first)}, its retry ${short(second)}`, legs[1]);
    },
  },
];

/** What the client returns after a step of scenario `state`. */
async function kept(trial: ClientTrial, step: 1 | 2 | 3) {
  const all = await calls(trial, 'state', 'check_meta', 3);
  const one = all[step - 1] ?? all[0];
  if (one === undefined) throw new NotApplicable('no call');
  return {
    one,
    expected: STATE_KEPT[step - 1] ?? { session: {}, server: {} },
    session: stateSent(one, 'session'),
    server: stateSent(one, 'server'),
  };
}

const stateChecks: ClientCheck[] = [
  {
    ...stdio,
    id: 'state:declared',
    proves: ['STATE-01'],
    title: 'A client that keeps state declares the capability on every request',
    faults: ['state-undeclared'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(isObject(at(one.declared, 'state')), `${short(one.message['method'])} does not declare state`, one, 'params', '_meta');
    },
  },
  {
    ...stdio,
    id: 'state:returned',
    proves: ['STATE-08', 'STATE-04'],
    title: 'Everything kept goes on every request, values unchanged',
    faults: ['state-only-calls', 'state-one-scope'],
    run: async (trial) => {
      const all = await requests(trial, 'state');
      const from = all.findIndex((one) => at(one.message, 'params', 'name') === 'check_state');
      const listed = all.find((one, index) => index > from && one.message['method'] === 'tools/list');
      const { one, expected } = await kept(trial, 1);
      for (const request of [listed ?? one, one]) {
        expectSent(
          equal(stateSent(request, 'session'), expected.session),
          `kept ${short(expected.session)}, sent ${short(stateSent(request, 'session'))}`,
          request,
        );
        expectSent(
          equal(stateSent(request, 'server'), expected.server),
          `kept ${short(expected.server)}, sent ${short(stateSent(request, 'server'))}`,
          request,
        );
      }
    },
  },
  {
    ...stdio,
    id: 'state:delete',
    proves: ['STATE-05'],
    title: 'Null deletes a name; null inside a value is data',
    faults: ['state-keeps-null'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(!(isObject(session) && Object.hasOwn(session, 'colour')), `colour was deleted, and ${short(session)} came back`, one);
    },
  },
  {
    ...stdio,
    id: 'state:additive',
    proves: ['STATE-06'],
    title: 'Names that a result does not mention stay',
    faults: ['state-replaces-all', 'state-one-scope'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(at(session, 'twice') === 'session', `"twice" was set and not mentioned again, and ${short(session)} came back`, one);
    },
  },
  {
    ...stdio,
    id: 'state:overwrite',
    proves: ['STATE-07'],
    title: 'A name that is set again loses its whole old value',
    faults: ['state-deep-merge'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(
        equal(at(session, 'cart'), { tea: null }),
        `cart was set to {"tea":null}, and ${short(at(session, 'cart'))} came back`,
        one,
      );
    },
  },
  {
    ...stdio,
    id: 'state:rubbish',
    proves: ['STATE-05'],
    title: 'A scope that is no dictionary changes nothing',
    faults: ['state-takes-rubbish', 'state-one-scope'],
    run: async (trial) => {
      const { one, expected, session } = await kept(trial, 3);
      const names = isObject(session) ? Object.keys(session) : [];
      expectSent(
        names.every((name) => name in expected.session || name === 'colour'),
        `after a list as session state, ${short(session)} came back`,
        one,
      );
    },
  },
  {
    ...stdio,
    id: 'state:scopes',
    proves: ['STATE-22'],
    title: 'One name lives in both scopes independently',
    faults: ['state-one-scope'],
    run: async (trial) => {
      const { one, session, server } = await kept(trial, 1);
      const both = at(session, 'twice') === 'session' && at(server, 'twice') === 'server';
      expectSent(both, `"twice" came back as ${short(at(session, 'twice'))} and ${short(at(server, 'twice'))}`, one);
    },
  },
  {
    ...stdio,
    id: 'state:empty',
    proves: ['STATE-09'],
    title: 'Without anything kept no state key is sent',
    faults: ['state-sends-empty'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const sent = [stateSent(one, 'session'), stateSent(one, 'server')].find((value) => value !== undefined);
        expectSent(sent === undefined, `nothing was set, and ${short(sent)} was sent`, one);
      }
    },
  },
  {
    ...http,
    id: 'state:loopback',
    proves: ['STATE-32'],
    title: 'Nothing is kept for a server by IP address',
    faults: ['state-on-loopback'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state')) {
        const sent = stateSent(one, 'session') ?? stateSent(one, 'server');
        expectSent(sent === undefined, `127.0.0.1 got its state back: ${short(sent)}`, one);
      }
      if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
    },
  },
  {
    ...http,
    id: 'state:undeclared',
    proves: ['STATE-37'],
    title: 'The capability is not declared where nothing may be kept',
    faults: ['state-on-loopback', 'state-declared-on-loopback'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(at(one.declared, 'state') === undefined, 'the capability is declared to 127.0.0.1', one, 'params');
      if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
    },
  },
];

const traceChecks: ClientCheck[] = [
  {
    id: 'trace:format',
    proves: ['TRACE-01', 'TRACE-02'],
    title: 'Trace context has bare keys and W3C values',
    faults: ['trace-upper-case', 'trace-prefixed'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const meta = metaOf(one);
        const prefixed = Object.keys(isObject(meta) ? meta : {}).find((key) => /[./](traceparent|tracestate|baggage)$/.test(key));
        expectSent(prefixed === undefined, `${prefixed ?? ''} has a prefix`, one, 'params', '_meta');
        const traceparent = metaOf(one, 'traceparent');
        const fits =
          typeof traceparent === 'string' &&
          /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent);
        expectSent(traceparent === undefined || fits, `traceparent is ${short(traceparent)}`, one, 'params', '_meta', 'traceparent');
      }
    },
  },
];

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

const capabilityChecks: ClientCheck[] = [
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

export const clientChecks: readonly ClientCheck[] = [
  ...protocolChecks,
  ...languageChecks,
  ...environmentChecks,
  ...stateChecks,
  ...traceChecks,
  ...capabilityChecks,
];
