import type { Message } from '../../transport/index.js';
import { copiedHeaders, mirrorLanguage } from '../../transport/requestHeaders.js';
import { ignore } from '../../wire/issue.js';
import { isObject, own } from '../../wire/json.js';
import { CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES } from '../../wire/keys.js';
import { metaOf } from '../../wire/message.js';
import { PolicyTally } from '../../wire/policy.js';
import { addToRequest } from '../../wire/write.js';
import { emptyDraft, startCall, type ClientConnection, type MutableCall } from '../part.js';
import type { PolicySetup, Preview, Withheld } from '../policy.js';
import type { PolicyKeeper } from './keeper.js';

/** Returns what a message would carry under the policy. It sends nothing, asks nobody, and uses nothing up. */
export async function previewOf(keeper: PolicyKeeper, server: string | ClientConnection, message: Message): Promise<Preview> {
  const { setup, destinations, filter } = keeper;
  const connection = typeof server === 'string' ? connectionTo(server, setup) : server;
  const destination = destinations.home(connection);
  const call = callFor(connection, message, setup);
  const levels = keeper.consents.levels(destination, call);
  const written = await gather(call, message, setup);
  const tally = new PolicyTally();
  const left = filter.message(written, levels, tally, { needed: keeper.needed(levels, connection) });
  const meta = metaOf(left, 'request');
  const { decisions } = destination.decided();
  return {
    meta: isObject(meta) ? meta : {},
    headers: connection.url === undefined ? {} : headersFor(left, setup),
    withheld: tally.withheld.map((field): Withheld => {
      const { level } = decisions[field];
      return { field, rule: decisions[field].rule ?? 'policy', level: level === 'never' || level === 'ask' ? level : 'limited' };
    }),
  };
}

function headersFor(message: Message, { mirror }: PolicySetup): Record<string, string> {
  const { header } = mirrorLanguage(message, ignore);
  return { ...(header !== undefined && { 'Accept-Language': header }), ...(mirror && copiedHeaders(message, mirror)) };
}

/** Lets each part add what it would add to the request, through its `preview`, which has no side effects. */
async function gather(call: MutableCall, message: Message, setup: PolicySetup): Promise<Message> {
  const draft = emptyDraft();
  for (const part of setup.parts().all) await part.preview?.(call, draft);
  const declared = draft.declared && { [declarationKey(call)]: draft.declared };
  const spelled = { added: draft.added, own: draft.own, policy: { ...draft.policy, ...declared } };
  return addToRequest(message, spelled, { ...setup.wire, onIssue: ignore });
}

/** An SDK adds the revision later; a server that was initialized speaks the old one. */
function declarationKey({ era, callers }: MutableCall): string {
  return era === 'modern' || own(callers, OWN_CLIENT_CAPABILITIES) === undefined ? CLIENT_CAPABILITIES : OWN_CLIENT_CAPABILITIES;
}

function callFor(connection: ClientConnection, message: Message, setup: PolicySetup): MutableCall {
  const values = setup.values(connection);
  const found = metaOf(message, 'request');
  const exchange = { id: 0, method: String(own(message, 'method')), sender: 'us', request: message } as const;
  return startCall(connection, exchange, isObject(found) ? found : {}, values);
}

/** A connection to a server that nobody has connected to. */
function connectionTo(server: string, { wire, onIssue, onFault }: PolicySetup): ClientConnection {
  const url = /^https?:\/\//i.test(server) && URL.canParse(server) ? new URL(server) : undefined;
  return {
    transport: undefined,
    seesAnswers: true,
    followsRedirects: true,
    server: url === undefined ? server : undefined,
    url,
    command: undefined,
    capabilities: undefined,
    carriesQuestions: true,
    extension: undefined,
    wire,
    onIssue,
    onFault,
    listsChanged: () => undefined,
  };
}
