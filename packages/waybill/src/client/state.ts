import type { Exchange, Message } from '../transport/index.js';
import type { Report } from '../wire/issue.js';
import type { Meta } from '../wire/json.js';
import { state } from '../wire/state.js';
import { strip } from '../wire/write.js';
import type { StateJar } from './jar/stateJar.js';
import type { StateStore } from './jar/store.js';
import type { StdioNames } from './stdioNames.js';
import type { AnswerContext, ClientCall, ClientConnection, ClientPart } from './part.js';

/**
 * State for one client, made by `jar()` of `waybill/client/jar`. It is handed in, so that a program without state does not load that code.
 */
export interface ClientState {
  /** Called once, by `clientContext`. */
  open(report: Report): OpenState;
}

export type OpenState = ClientPart & {
  readonly jar: StateJar;
  /** The name under which a server keeps state here; undefined if it may keep none. */
  nameOf(connection: ClientConnection): string | undefined;
  readonly stdio: StdioNames | undefined;
  /** Called when a redirect leads to another server: says whether state that its answer sets is kept. */
  allow(exchange: Exchange, mayKeep: boolean): void;
  /** Keeps a ledger in the store of the jar; `jar.clear()` then also clears the ledger, and `flush()` and `close()` write it. */
  keepLedger(ledger: KeptLedger): StateStore | undefined;
  /** Called when the client stops acting for this principal. */
  leavePrincipal(principal: string | null): void;
};

/** The ledger of a policy, as far as a jar knows it. */
export type KeptLedger = {
  clear(part: { readonly principal?: string; readonly server?: string }): Promise<number>;
  flush(): Promise<void>;
};

const STATE_KEYS: ReadonlySet<string> = new Set(state.keys({}));

export function hasState(meta: Meta): boolean {
  for (const key in meta) if (STATE_KEYS.has(key)) return true;
  return false;
}

/** Reports once for each connection that its server sets state although it may not (STATE-37). */
export class StateRefusals {
  readonly #told = new WeakSet<ClientConnection>();

  report(connection: ClientConnection, why: string): void {
    if (this.#told.has(connection)) return;
    this.#told.add(connection);
    connection.onIssue({ concern: 'state', key: 'server', problem: `sets state but may not keep any: it ${why}` });
  }

  /** Lets the next use of the connection report again. */
  forget(connection: ClientConnection): void {
    this.#told.delete(connection);
  }
}

/** Without a jar no state is declared. State that a server sets anyway is removed, so that neither the application nor a model sees it. */
export class NoStatePart implements ClientPart {
  readonly name = 'state';
  readonly #refusals = new StateRefusals();

  answer(message: Message, { connection }: ClientCall, read: AnswerContext): Message {
    if (!hasState(read.meta) || Object.hasOwn(message, 'error')) return message;
    if ((read as { state?: unknown }).state !== undefined)
      this.#refusals.report(connection, 'sends it to a client without the option state');
    return strip(message, ['state']);
  }
}
