/** The steps that a client under test is asked to carry out. It gets them in MCP_CONFORMANCE_CONTEXT. */
import type { Message } from '../wire/json.js';

export type Step =
  | { readonly op: 'list' }
  | CallStep
  /** The user prefers another language from now on. */
  | { readonly op: 'language'; readonly value: string }
  /** Calls, without arguments, each tool of the last list that the client would offer to its model. */
  | { readonly op: 'callEach' }
  /** Closes the connection and opens another: to `other` of the context, or again to the first server. */
  | { readonly op: 'connect'; readonly to: 'other' | 'first' }
  /** Starts the calls at once, in this order, without waiting in between. */
  | { readonly op: 'together'; readonly steps: readonly CallStep[] };

interface CallStep {
  readonly op: 'call';
  readonly name: string;
  readonly arguments: Message;
  /** The tool to call if this call fails. */
  readonly otherwise?: string;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly steps: readonly Step[];
  /** The name that the URL has in place of 127.0.0.1. */
  readonly host?: string;
}

const call = (name: string, args: Message = {}): CallStep => ({ op: 'call', name, arguments: args });
/** The client calls check_failed if it takes the answer for a failure. */
const callOrTell = (name: string): CallStep => ({ ...call(name), otherwise: 'check_failed' });
export const LANGUAGE = 'fr-CH, fr;q=0.9, en;q=0.5';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'tools_call',
    about:
      'Connect, list the tools, call add_numbers. The scenario of this name in the protocol’s own suite, so fixtures of SDKs can run it.',
    steps: [{ op: 'list' }, call('add_numbers', { a: 5, b: 3 })],
  },
  {
    name: 'language',
    about:
      'The user changes the language between lists that the server allows to be cached, and the header and the body of two answers disagree.',
    steps: [
      { op: 'language', value: LANGUAGE },
      { op: 'list' },
      { op: 'language', value: 'de' },
      { op: 'list' },
      { op: 'language', value: 'de, en;q=0.5' },
      { op: 'list' },
      call('check_language'),
      callOrTell('check_mismatch'),
      callOrTell('check_case'),
    ],
  },
  {
    name: 'environment',
    about: 'Two calls, one after the other.',
    steps: [call('check_meta'), call('check_meta')],
  },
  {
    name: 'state',
    about: 'The server sets, replaces and deletes state; lists in between show what the client kept.',
    steps: [
      call('check_state', { step: 1 }),
      { op: 'list' },
      call('check_meta'),
      call('check_state', { step: 2 }),
      call('check_meta'),
      call('check_state', { step: 3 }),
      call('check_meta'),
    ],
  },
  {
    name: 'capabilities',
    about: 'Tools that need capabilities; the client calls each one it would offer.',
    steps: [{ op: 'list' }, { op: 'callEach' }],
  },
  {
    name: 'question',
    about: 'A tool asks the user something. Any answer will do.',
    steps: [call('check_ask')],
  },
  {
    name: 'stale',
    about: 'A tool that was offered is refused for a capability; the tools are listed again afterwards.',
    steps: [{ op: 'list' }, call('needs_nothing'), { op: 'list' }],
  },
  {
    name: 'translated',
    about: 'The same as stale, but the message of the refusal is in the language of the user.',
    steps: [{ op: 'list' }, call('needs_nothing'), { op: 'list' }],
  },
  {
    name: 'refused',
    about: 'The server refuses a call for its headers, however often it is sent.',
    steps: [call('check_refused')],
  },
  {
    name: 'results',
    about: 'One result has a type that the protocol does not know, and is invalid. Another has keys that nobody knows, and is valid.',
    steps: [callOrTell('check_type'), callOrTell('check_keys')],
  },
  {
    name: 'servers',
    about: 'Two servers, over stdio only: one sets state, then the client talks to the other, then to the first one again.',
    steps: [
      call('check_state', { step: 1 }),
      { op: 'connect', to: 'other' },
      call('check_meta'),
      { op: 'connect', to: 'first' },
      call('check_meta'),
    ],
  },
  {
    name: 'order',
    about: 'Two calls at once set the same name; the answer to the first one comes last.',
    steps: [
      { op: 'together', steps: [call('check_order', { value: 'first' }), call('check_order', { value: 'second' })] },
      call('check_meta'),
    ],
  },
  {
    name: 'localhost',
    about: 'The server is addressed as localhost, a name without a domain.',
    steps: [call('check_state', { step: 1 }), call('check_meta')],
    host: 'localhost',
  },
  {
    name: 'address',
    about: 'The server is addressed by another spelling of 127.0.0.1.',
    steps: [call('check_state', { step: 1 }), call('check_meta')],
    host: '0x7f.1',
  },
];
