import type { Message } from '../transport/index.js';
import type { Report } from '../wire/issue.js';
import type { Meta } from '../wire/json.js';
import { state } from '../wire/state.js';
import { strip } from '../wire/write.js';
import type { StateJar } from './jar/stateJar.js';
import type { AnswerContext, ClientCall, ClientConnection, ClientPart } from './part.js';

/**
 * State for one client, as `jar()` of `waybill/client/jar` makes it. It is handed in, so that a program that keeps no state loads none of
 * that code.
 */
export interface ClientState {
  /** For `clientContext`, once. */
  open(report: Report): OpenState;
}

/** A part with the jar. `leavePrincipal`: the client now speaks for somebody else than this principal. */
export type OpenState = ClientPart & { readonly jar: StateJar; leavePrincipal(principal: string | null): void };

const STATE_KEYS: ReadonlySet<string> = new Set(state.keys({}));

export function hasState(meta: Meta): boolean {
  for (const key in meta) if (STATE_KEYS.has(key)) return true;
  return false;
}

/** Reports once a connection that its server sets state and may not (STATE-37). */
export class StateRefusals {
  readonly #told = new WeakSet<ClientConnection>();

  report(connection: ClientConnection, why: string): void {
    if (this.#told.has(connection)) return;
    this.#told.add(connection);
    connection.onIssue({ concern: 'state', key: 'server', problem: `sets state and may keep none: it ${why}` });
  }

  /** The next use of the connection is told again. */
  forget(connection: ClientConnection): void {
    this.#told.delete(connection);
  }
}

/** Without a jar no state is declared. A server that sets state all the same is not heard, and neither the application nor a model sees it. */
export class NoStatePart implements ClientPart {
  readonly name = 'state';
  readonly #refusals = new StateRefusals();

  answer(message: Message, { connection }: ClientCall, read: AnswerContext): Message {
    if (!hasState(read.meta) || Object.hasOwn(message, 'error')) return message;
    if ((read as { state?: unknown }).state !== undefined) this.#refusals.report(connection, 'was not told that it may');
    return strip(message, ['state']);
  }
}
