/** The answers of the scenario server that checks compare with, and its tools. */
import type { Message } from '../wire/json.js';
import { SERVER_STATE, SESSION_STATE } from '../wire/keys.js';

export const REQUEST_STATE = 'c3RhdGU.of=this+question/1';

/** Requirements of the tools of scenario `capabilities`. */
export const ANNOTATED: Readonly<Record<string, Message>> = {
  needs_depth: { elicitation: { form: nested(400) } },
  needs_nothing: {},
  needs_form: { elicitation: { form: {} } },
  needs_unknown: { 'com-example-none': {} },
  needs_more_form: { elicitation: { form: {}, 'com-example-wizard': {} } },
  needs_extension: { extensions: { 'com.example/none': {} } },
  needs_both: { elicitation: { form: {} }, extensions: { 'com.example/none': {} } },
  needs_tasks: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

function nested(depth: number): Message {
  let value: Message = {};
  for (let level = 0; level < depth; level++) value = { deeper: value };
  return value;
}

/** A value that belongs into state and nowhere else. */
export const TOKEN = 'kept-7d1f0c';
const LASTING: Message = { twice: 'session', ['__proto__']: { odd: true }, token: TOKEN };

/** State that each step of scenario `state` sets. Nothing of it may change a name that it does not mention. */
export const STATE_STEPS: readonly Message[] = [
  {
    [SESSION_STATE]: { colour: 'red', cart: { tea: 1, milk: 2 }, ...LASTING },
    [SERVER_STATE]: { 'Dark Mode': true, twice: 'server' },
  },
  { [SESSION_STATE]: { colour: null, cart: { tea: null } }, [SERVER_STATE]: {} },
  { [SESSION_STATE]: ['rubbish'], [SERVER_STATE]: { count: 0 } },
];
/** The state that a client has kept after each of them. */
export const STATE_KEPT: readonly { session: Message; server: Message }[] = [
  {
    session: { colour: 'red', cart: { tea: 1, milk: 2 }, ...LASTING },
    server: { 'Dark Mode': true, twice: 'server' },
  },
  { session: { cart: { tea: null }, ...LASTING }, server: { 'Dark Mode': true, twice: 'server' } },
  { session: { cart: { tea: null }, ...LASTING }, server: { 'Dark Mode': true, twice: 'server', count: 0 } },
];

export const tool = (name: string, properties: Message = {}, rest: Message = {}): Message => ({
  name,
  description: `Fixture ${name}`,
  inputSchema: { type: 'object', properties },
  ...rest,
});

export const TOOLS: readonly Message[] = [
  tool('add_numbers', { a: { type: 'number' }, b: { type: 'number' } }),
  tool('check_language'),
  tool('check_mismatch'),
  tool('check_failed'),
  tool('check_state', { step: { type: 'number' } }),
  tool('check_meta'),
  tool('check_ask'),
  tool('check_refused'),
  tool('check_case'),
  tool('check_type'),
  tool('check_keys'),
  tool('check_order', { value: { type: 'string' } }),
];

/** The message of a refusal for a capability, by scenario. */
export const REFUSALS: Readonly<Record<string, string>> = {
  stale: 'Missing required client capability',
  translated: 'Il manque une capacité du client',
};
