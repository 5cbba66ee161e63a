import type { Message, StdioCommand } from '../../transport/index.js';
import { expectFunction } from '../../wire/check.js';
import { ignore, type Report } from '../../wire/issue.js';
import { readResult } from '../../wire/read.js';
import { strip, writeRequest } from '../../wire/write.js';
import type { Conversation } from './conversation.js';
import { isConversationOf } from './conversations.js';
import { nameHttpServer, nameStdioServer, type Named } from './identity.js';
import { Jars } from './jars.js';
import { checkJarOptions, type JarOptions } from './open.js';
import type { StateJar } from './stateJar.js';
import { userJar } from './userJar.js';
import { NOBODY } from '../values.js';

/** The owner of the state that a request carries. */
export interface RelayTarget {
  /** The name of the server's drawer: one of your own, or as `nameOf` gives it. */
  readonly server: string;
  readonly principal?: string;
  /** Without one, the request carries no session state, and its answer sets none. */
  readonly conversation?: Conversation;
}

export interface RelayAnswer {
  /** The request with the stored state, and with none that its sender wrote. */
  readonly message: Message;
  /** Keeps the state that the answer sets, and returns the answer without it. `merges`: the names that the server says it merges. */
  take(answer: Message, merges?: ReadonlySet<string>): Promise<Message>;
}

/**
 * The jar for a program that passes messages on by itself, such as a gateway. It declares nothing: the program tells the server that it
 * keeps state.
 */
export interface RelayJar {
  readonly jar: StateJar;
  /** Names a server by the rules of `jar()`, or says why it may keep no state. */
  nameOf(server: URL | string | StdioCommand): Named;
  send(request: Message, to: RelayTarget): Promise<RelayAnswer>;
}

export function relayJar(options: JarOptions = {}, onIssue: Report = ignore): RelayJar {
  checkJarOptions(options, 'relayJar');
  expectFunction(onIssue, 'onIssue');
  const jars = new Jars(options, onIssue);
  const nameOf = (server: URL | string | StdioCommand): Named =>
    typeof server === 'string' || server instanceof URL ? nameHttpServer(server, options) : nameStdioServer(server, options);
  return {
    jar: userJar(jars, options),
    nameOf,
    async send(request, { server, principal = NOBODY, conversation }) {
      if (conversation !== undefined && !(isConversationOf(jars, conversation) && conversation.principal === principal))
        throw new TypeError('conversation: expected one of this principal, from jar.begin() or jar.resume() of this jar');
      const { values, ticket } = await jars.carry(principal, server, conversation);
      return {
        message: writeRequest(strip(request, ['state']), { state: values }, { onIssue }),
        async take(answer, merges) {
          const changes = readResult(answer, { onIssue }).state;
          if (changes !== undefined) await jars.apply(ticket, changes, merges);
          return strip(answer, ['state']);
        },
      };
    },
  };
}
