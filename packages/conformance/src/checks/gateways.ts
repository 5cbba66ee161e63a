/** Every check of a gateway. The kit stands on both sides: it sends a request to the gateway and sees what reaches the upstream. */
import { type Check, expect, NotApplicable } from '../check.js';
import { dataOf, expectResult, languageOf, type ServerPeer, stateIn, told } from '../runner/servers.js';
import type { Received } from '../scenarios/server.js';
import { FORM } from '../upstream/server.js';
import { type Exchange, header } from '../wire/exchange.js';
import { at, equal, isObject, short } from '../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CONTEXT,
  MISSING_CAPABILITY,
  MODERN,
  PROTOCOL_VERSION,
  REQUIRED_CAPABILITIES,
  STATE_KEYS,
} from '../wire/keys.js';
import type { Ask } from '../wire/session.js';
import { TRACE_ID, TRACEPARENT } from './trace.js';

export interface GatewayTrial {
  readonly peer: ServerPeer;
  /** A second caller, with connections of its own. */
  readonly other: ServerPeer;
  /** Everything that reached the upstream so far. */
  readonly received: readonly Received[];
  readonly upstream: 'stdio' | 'http';
}

export type GatewayCheck = Check<GatewayTrial>;

interface Passed {
  readonly exchange: Exchange;
  readonly arrived: Received | undefined;
}

const metaOf = (arrived: Received | undefined, ...path: string[]): unknown => at(arrived?.message, 'params', '_meta', ...path);
let marks = 0;

/** Calls a tool through the gateway and finds the request at the upstream by a mark in its arguments. */
async function pass({ peer, received }: GatewayTrial, name: string, ask: Ask = {}, caller = peer): Promise<Passed> {
  const mark = ++marks;
  const exchange = await caller.call(name, { mark }, ask);
  return { exchange, arrived: received.find(({ message }) => at(message, 'params', 'arguments', 'mark') === mark) };
}

/** A list through the gateway; it may be answered from a cache, so that nothing arrives. */
async function passList({ peer, received }: GatewayTrial, ask: Ask): Promise<Passed> {
  const before = received.length;
  const exchange = await peer.request('tools/list', ask);
  return { exchange, arrived: received.slice(before).findLast(({ message }) => message['method'] === 'tools/list') };
}

/** The request arrived; a gateway that answers by itself cannot be judged. */
function arrivedOf({ exchange, arrived }: Passed): Received {
  expectResult(exchange, 'through the gateway');
  expect(arrived !== undefined, 'the call was answered, but did not reach the upstream', exchange);
  return arrived;
}

/** Shows the exchange with the message that reached the upstream beside it. */
const beside = ({ exchange, arrived }: Passed): Exchange => ({
  ...exchange,
  others: [...exchange.others, ...(arrived ? [arrived.message] : [])],
});

function expectArrived(ok: boolean, observed: string, passed: Passed): asserts ok {
  expect(ok, observed, beside(passed), ['others', passed.exchange.others.length, 'params', '_meta']);
}

const CONTEXT = { timezone: 'Europe/Vienna', currentTimestamp: '2024-02-29T12:00:00+01:00', locale: 'de-AT' };
const LANGUAGE = 'fr-CH, fr;q=0.9,en;q=0.50';

const protocolChecks: GatewayCheck[] = [
  {
    id: 'protocol:headers',
    proves: ['BASE-09'],
    title: 'A request whose headers and body differ is refused',
    faults: ['ignores-headers'],
    revisions: [MODERN],
    run: async ({ peer }) => {
      const sent = await peer.request('tools/list', { headers: [['Mcp-Method', 'prompts/list']] });
      expect((sent.status ?? 0) >= 400, `Mcp-Method said prompts/list, the body tools/list, and the gateway answered ${told(sent)}`, sent, [
        'status',
      ]);
    },
  },
  {
    id: 'protocol:upstream-headers',
    proves: ['BASE-07'],
    title: 'Headers towards the upstream repeat the body',
    faults: ['wrong-upstream-headers'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta');
      const arrived = arrivedOf(passed);
      if (trial.upstream === 'stdio' || metaOf(arrived, PROTOCOL_VERSION) === undefined)
        throw new NotApplicable('the upstream hop has no such headers');
      for (const [name, value] of Object.entries({ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'check_meta' }))
        expectArrived(equal(arrived.headers[name], [value]), `${name} is ${short(arrived.headers[name])}, the body says ${value}`, passed);
    },
  },
  {
    id: 'protocol:unknown-meta',
    proves: ['D-21'],
    title: 'Keys that the gateway does not know pass untouched',
    faults: ['drops-unknown'],
    run: async (trial) => {
      const value = { nested: [1, null, '✓'] };
      const passed = await pass(trial, 'check_meta', { meta: { 'com.example/conformance': value } });
      const got = metaOf(arrivedOf(passed), 'com.example/conformance');
      expectArrived(equal(got, value), `sent ${short(value)}, the upstream got ${short(got)}`, passed);
    },
  },
  {
    id: 'protocol:progress',
    proves: ['TRACE-06'],
    title: 'Progress comes back with the token of the caller',
    faults: ['wrong-token'],
    run: async (trial) => {
      const { exchange } = await pass(trial, 'check_progress', { meta: { progressToken: 'of-the-caller' } });
      const progress = exchange.others.filter(({ method }) => method === 'notifications/progress');
      if (progress.length === 0) throw new NotApplicable('no progress came through');
      for (const one of progress) {
        const token = at(one, 'params', 'progressToken');
        expect(token === 'of-the-caller', `the token "of-the-caller" came back as ${short(token)}`, exchange, ['others', 0, 'params']);
      }
    },
  },
  {
    id: 'protocol:callers',
    proves: ['BASE-02'],
    title: 'Parallel calls of two callers get their own answers',
    faults: ['mixes-answers'],
    run: async (trial) => {
      const both = [trial.peer, trial.other, trial.peer, trial.other];
      const passed = await Promise.all(both.map((caller) => pass(trial, 'check_meta', {}, caller)));
      for (const { exchange } of passed) {
        const asked = at(exchange.sent.message, 'params', 'arguments', 'mark');
        const got = at(dataOf(exchange), 'mark');
        expect(got === asked, `call ${short(asked)} got the answer of call ${short(got)}`, exchange, [
          'answer',
          'result',
          'structuredContent',
        ]);
      }
    },
  },
];

const languageChecks: GatewayCheck[] = [
  {
    id: 'language:forwarded',
    proves: ['LANG-52'],
    title: 'The preference reaches the upstream exactly as it was sent, or not at all',
    faults: ['language-rewrites'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
      const got = metaOf(arrivedOf(passed), ACCEPT_LANGUAGE);
      if (got === undefined) throw new NotApplicable('the gateway removes the preference, which is allowed');
      expectArrived(got === LANGUAGE, `"${LANGUAGE}" arrived as ${short(got)}`, passed);
    },
  },
  {
    id: 'language:upstream-header',
    proves: ['LANG-53'],
    title: 'Header and body agree towards the upstream',
    faults: ['language-stale-header', 'language-rewrites'],
    run: async (trial) => {
      if (trial.upstream === 'stdio') throw new NotApplicable('the upstream has no headers');
      const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
      const arrived = arrivedOf(passed);
      const [lines, value] = [arrived.headers['accept-language'] ?? [], metaOf(arrived, ACCEPT_LANGUAGE)];
      const agree = lines.length === 0 || value === undefined || lines.join(', ') === value;
      expectArrived(agree, `towards the upstream the header says ${short(lines)}, the body ${short(value)}`, passed);
    },
  },
  {
    id: 'language:report',
    proves: ['LANG-52'],
    title: 'The reported language comes back as the upstream said it, in body and header',
    faults: ['language-relabels'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
      if (metaOf(arrivedOf(passed), ACCEPT_LANGUAGE) === undefined)
        throw new NotApplicable('the gateway removes the preference, which is allowed');
      const { exchange } = passed;
      const [body, sent] = [languageOf(exchange), header(exchange, 'content-language')];
      expect(body === undefined || body === 'fr', `the upstream reported fr, the caller got ${short(body)}`, exchange, [
        'answer',
        'result',
        '_meta',
      ]);
      expect(
        body === undefined || sent === undefined || sent === body,
        `the body says ${short(body)}, the header ${short(sent)}`,
        exchange,
        ['headers', 'content-language'],
      );
    },
  },
  {
    id: 'language:cache',
    proves: ['LANG-60', 'BASE-11'],
    title: 'A list in one language is never served for another',
    faults: ['language-cached'],
    run: async (trial) => {
      const removed = metaOf(arrivedOf(await pass(trial, 'check_meta', { language: 'fr' })), ACCEPT_LANGUAGE) === undefined;
      if (removed) throw new NotApplicable('the gateway removes the preference, which is allowed');
      for (const language of ['fr', 'de', 'fr']) {
        const { exchange } = await passList(trial, { language });
        const title = at(expectResult(exchange, 'tools/list'), 'tools', 0, 'title');
        expect(String(title).endsWith(`(${language})`), `asked for ${language}, the first title is ${short(title)}`, exchange, [
          'answer',
          'result',
          'tools',
          0,
        ]);
      }
    },
  },
];

const environmentChecks: GatewayCheck[] = [
  {
    id: 'environment:undisturbed',
    proves: ['CTX-14'],
    title: 'A call with client context goes through',
    faults: ['environment-refused'],
    run: async (trial) =>
      void expectResult((await pass(trial, 'check_meta', { meta: { [CLIENT_CONTEXT]: CONTEXT } })).exchange, 'with client context'),
  },
  {
    id: 'environment:forwarded',
    proves: ['CTX-31'],
    title: 'Members of the client context pass unchanged or are dropped whole; the timestamp stays',
    faults: ['environment-restamps', 'environment-refused'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: { [CLIENT_CONTEXT]: CONTEXT } });
      const got = metaOf(arrivedOf(passed), CLIENT_CONTEXT);
      if (got === undefined) throw new NotApplicable('the gateway drops the client context');
      for (const [member, value] of Object.entries(CONTEXT)) {
        const its = at(got, member);
        expectArrived(its === undefined || its === value, `${member} ${short(value)} arrived as ${short(its)}`, passed);
      }
    },
  },
];

const stateChecks: GatewayCheck[] = [
  {
    id: 'state:callers',
    proves: ['STATE-44'],
    title: 'State of one caller reaches neither another caller nor the requests of another',
    faults: ['state-shared'],
    run: async (trial) => {
      const capabilities = { state: {} };
      const { exchange } = await pass(trial, 'check_state', { capabilities });
      const found = stateIn(at(exchange.answer, 'result'));
      expectResult(exchange, 'check_state');
      const others = await pass(trial, 'check_meta', { capabilities }, trial.other);
      const sent = [...STATE_KEYS.session, ...STATE_KEYS.server]
        .map((key) => metaOf(others.arrived, key))
        .find((value) => value !== undefined);
      expectArrived(sent === undefined, `a caller without state was sent with ${short(sent)}`, others);
      if (found.length === 0) throw new NotApplicable('no state of the upstream reaches the caller, and none is shared');
    },
  },
];

const traceChecks: GatewayCheck[] = (
  [
    ['call', 'a call', (trial: GatewayTrial, ask: Ask) => pass(trial, 'check_meta', ask)],
    ['list', 'a list', passList],
  ] as const
).flatMap(([kind, what, send]): GatewayCheck[] => [
  {
    id: `trace:${kind}`,
    proves: ['TRACE-11'],
    title: `The trace of ${what} goes on behind the gateway`,
    faults: ['trace-lost', `trace-lost-on-${kind}`],
    run: async (trial) => {
      const passed = await send(trial, { meta: { traceparent: TRACEPARENT, tracestate: 'vendor=1' } });
      if (passed.arrived === undefined) throw new NotApplicable('the gateway answered by itself');
      const got = metaOf(passed.arrived, 'traceparent');
      expectArrived(String(got).includes(TRACE_ID), `sent ${TRACEPARENT}, the upstream got ${short(got)}`, passed);
    },
  },
]);

const moreTraceChecks: GatewayCheck[] = [
  {
    id: 'trace:format',
    proves: ['TRACE-01', 'TRACE-02'],
    title: 'Trace context towards the upstream has bare keys and W3C values',
    faults: ['trace-malformed'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: { traceparent: TRACEPARENT } });
      const got = metaOf(arrivedOf(passed), 'traceparent');
      if (got === undefined) throw new NotApplicable('no trace context reaches the upstream');
      const fits = typeof got === 'string' && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(got);
      expectArrived(fits, `traceparent arrived as ${short(got)}`, passed);
    },
  },
  {
    id: 'trace:state',
    proves: ['TRACE-11'],
    title: 'The trace state keeps the entries of the caller',
    faults: ['trace-lost', 'trace-state-lost'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: { traceparent: TRACEPARENT, tracestate: 'vendor=1,other=2' } });
      const got = metaOf(arrivedOf(passed), 'tracestate');
      expectArrived(
        typeof got === 'string' && got.endsWith('vendor=1,other=2'),
        `sent vendor=1,other=2, the upstream got ${short(got)}`,
        passed,
      );
    },
  },
];

const capabilityChecks: GatewayCheck[] = [
  {
    id: 'capabilities:declared',
    proves: ['CAP-25'],
    title: 'The upstream sees no capability that the caller did not declare',
    faults: ['capabilities-adds'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { capabilities: { roots: {} } });
      // State is the one capability that a gateway may add: it can keep state itself.
      const added = Object.keys(arrivedOf(passed).declared).filter(
        (name) => !['roots', 'state', 'extensions', 'experimental'].includes(name),
      );
      expectArrived(added.length === 0, `the caller declared roots, the upstream saw ${added.join(', ')}`, passed);
    },
  },
  {
    id: 'capabilities:annotation',
    proves: ['CAP-25'],
    title: 'Annotations of tools pass untouched',
    faults: ['capabilities-strips'],
    run: async (trial) => {
      const { exchange } = await passList(trial, { capabilities: FORM });
      const tools = expectResult(exchange, 'tools/list')['tools'];
      const asks = Array.isArray(tools) ? tools.findIndex((tool: unknown) => at(tool, 'name') === 'check_ask') : -1;
      expect(asks >= 0, 'check_ask is missing from the list', exchange, ['answer', 'result', 'tools']);
      const got = at(tools, asks, '_meta', REQUIRED_CAPABILITIES);
      expect(equal(got, FORM), `check_ask requires ${short(FORM)}, the caller sees ${short(got)}`, exchange, [
        'answer',
        'result',
        'tools',
        asks,
      ]);
    },
  },
  {
    id: 'capabilities:refusal',
    proves: ['CAP-03'],
    title: 'A refusal for a missing capability keeps its code and data',
    faults: ['capabilities-flattens'],
    revisions: [MODERN],
    run: async (trial) => {
      const { exchange } = await pass(trial, 'check_ask');
      const code = at(exchange.answer, 'error', 'code');
      expect(code === MISSING_CAPABILITY, `expected error ${MISSING_CAPABILITY}, got ${told(exchange)}`, exchange, ['answer']);
      const missing: unknown = at(exchange.answer, 'error', 'data', 'requiredCapabilities');
      expect(isObject(missing) && isObject(missing['elicitation']), `data.requiredCapabilities is ${short(missing)}`, exchange, [
        'answer',
        'error',
      ]);
    },
  },
];

export const gatewayChecks: readonly GatewayCheck[] = [
  ...protocolChecks,
  ...languageChecks,
  ...environmentChecks,
  ...stateChecks,
  ...traceChecks,
  ...moreTraceChecks,
  ...capabilityChecks,
];
