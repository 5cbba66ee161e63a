/** SEP-1655 in the reference server: the tool check_state. */
import { isObject, type Message } from '../../wire/json.js';
import { SESSION_STATE } from '../../wire/keys.js';
import type { Faults } from '../reply.js';
import { answer, type Request } from './request.js';

export class StateTool {
  readonly #faults: Faults;
  #declared = false;
  #kept: Message = {};

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  keep({ capabilities, modern, reply }: Request, { name, value }: Message): Message {
    const remembered = this.#has('state-remembers-capability') && modern && this.#declared;
    this.#declared ||= isObject(capabilities['state']);
    // STATE-13
    if (!isObject(capabilities['state']) && !remembered && !this.#has('state-undeclared')) return answer({ set: false });
    const kept = this.#has('state-only-text') && typeof value !== 'string' && value !== null ? JSON.stringify(value) : value;
    const emptied = value === '' && this.#has('state-empty-deletes') ? null : kept;
    const plain = this.#has('state-plain-names') ? String(name).replaceAll(/\W/g, '_') : String(name);
    const change = this.#has('state-null-dropped') && value === null ? {} : { [plain]: emptied };
    this.#kept = { ...this.#kept, ...change };
    const own = this.#has('state-remembers') ? this.#kept : change;
    // An assignment would take __proto__ for something else than a name.
    const names = this.#has('state-assigns-names') ? Object.assign({}, own) : own;
    reply.headers.push(['Cache-Control', this.#has('state-public') ? 'public, max-age=60' : 'no-store']);
    return {
      ...answer({ set: true }),
      _meta: {
        [SESSION_STATE]: this.#has('state-list') ? [name, value] : names,
        ...(this.#has('state-two-spellings') && { [`${SESSION_STATE}/`]: names }),
      },
    };
  }
}
