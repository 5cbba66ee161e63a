/** SEP-1655 in the reference client: what it keeps of each server. */
import { isIP } from 'node:net';
import { at, isObject, type Message } from '../../wire/json.js';
import { SERVER_STATE, SESSION_STATE } from '../../wire/keys.js';
import type { Faults } from '../reply.js';

interface Drawer {
  session: Message;
  server: Message;
}

const SCOPES = [
  ['session', SESSION_STATE],
  ['server', SERVER_STATE],
] as const;

export class Drawers {
  readonly #faults: Faults;
  readonly #drawers = new Map<string, Drawer>();
  #current: Drawer = { session: {}, server: {} };

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  /** A new session with a server: the session state of the last one is gone (STATE-20), and other servers see none of it (STATE-30). */
  open(words: readonly string[]): void {
    const name = this.#has('state-one-drawer') ? '' : words.join(' ');
    const known = this.#drawers.get(name);
    this.#current = {
      session: this.#has('state-session-survives') ? (known?.session ?? {}) : {},
      server: this.#has('state-server-forgotten') ? {} : (known?.server ?? {}),
    };
    this.#drawers.set(name, this.#current);
  }

  /** STATE-32, STATE-33, STATE-37: nothing is kept for a server at localhost or by IP address, and there nothing is declared. */
  keepsFor(words: readonly string[]): boolean {
    const [url = ''] = words;
    if (url === '--' || this.#has('state-on-loopback')) return true;
    const { hostname } = new URL(url);
    const isAddress = isIP(this.#has('state-on-odd-address') ? (/\/\/([^:/]+)/.exec(url)?.[1] ?? '') : hostname) !== 0;
    return !isAddress && (hostname.includes('.') || this.#has('state-on-localhost'));
  }

  sent(): Message {
    const always = this.#has('state-sends-empty');
    return Object.fromEntries(
      SCOPES.filter(([scope]) => always || Object.keys(this.#current[scope]).length > 0).map(([scope, key]) => [key, this.#current[scope]]),
    );
  }

  /** Everything kept, as one baggage member: a fault. */
  asBaggage(): string {
    return `state=${encodeURIComponent(JSON.stringify(this.#current.session))}`;
  }

  apply(meta: unknown): void {
    for (const [scope, key] of SCOPES) {
      const change = at(meta, key);
      if (change === undefined || (!isObject(change) && !this.#has('state-takes-rubbish'))) continue;
      const target = this.#has('state-one-scope') ? 'session' : scope;
      const old = this.#has('state-replaces-all') ? {} : this.#current[target];
      const left = this.#merged(old, change as Message).filter(([, value]) => value !== null || this.#has('state-keeps-null'));
      this.#current[target] = this.#has('state-assigns-names') ? assigned(left) : Object.fromEntries(left);
    }
  }

  /** STATE-06, STATE-07: names that are not mentioned stay, and a name that is set again loses its old value. */
  #merged(old: Message, change: Message): [string, unknown][] {
    const names = new Map(Object.entries(old));
    for (const [name, value] of Object.entries(change)) {
      const before = names.get(name);
      names.set(name, this.#has('state-deep-merge') && isObject(before) && isObject(value) ? { ...before, ...value } : value);
    }
    return [...names];
  }
}

/** An assignment to `__proto__` would not add a name. */
function assigned(entries: readonly [string, unknown][]): Message {
  const names: Message = {};
  for (const [name, value] of entries) names[name] = value;
  return names;
}
