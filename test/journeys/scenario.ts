/** One journey through everything the protocol offers, recorded as a list of what the client saw. */
import { deferred, errorOf } from './telling.js';
import type { Journey } from './harness.js';
import type { Message } from './wire.js';

export type Told = [step: string, what: unknown];

/**
 * Legacy HTTP through `createMcpHandler` has no sessions: the server can send nothing unasked, cannot ask back, and no message can cancel a
 * call.
 */
const isStateless = ({ cell, client }: Journey): boolean =>
  cell.server === 'v2' && cell.transport.startsWith('http') && client.era() === 'legacy';

/** A JSON body holds one answer: questions of SDK v2 during a legacy call cannot reach the client. */
const canAsk = ({ cell, client }: Journey): boolean =>
  !(cell.transport === 'http-json' && cell.server === 'wired' && client.era() === 'legacy');

export async function travel(journey: Journey): Promise<Told[]> {
  const { client } = journey;
  const told: Told[] = [];
  const tell = async (step: string, run: () => unknown): Promise<void> => {
    try {
      told.push([step, await run()]);
    } catch (error) {
      told.push([step, errorOf(error)]);
    }
  };
  const call = (name: string, args: Message = {}, options = {}): Promise<Message> => client.callTool({ name, arguments: args }, options);

  await tell('who is there', () => [
    client.era(),
    client.sdk.getServerVersion(),
    client.sdk.getServerCapabilities(),
    client.sdk.getInstructions(),
  ]);
  await tell('every page of the tool list', () => client.allTools());
  await tell('one page', () => client.sdk.listTools({ cursor: '5' }));
  await tell('echo', () => call('echo', { text: 'hello' }));
  await tell('ten at once', () => Promise.all(Array.from({ length: 10 }, (_, n) => call('echo', { text: `no. ${n}` }))));
  await tell('own _meta', () => client.callTool({ name: 'meta', arguments: {}, _meta: { 'example.test/key': { deep: [1, null] } } }));
  await tell('structured', () => call('structured', { n: 21 }));
  await tell('a tool that throws', () => call('throws'));
  await tell('wrong arguments', () => call('echo', { text: 7 }));
  await tell('a tool that is not there', () => call('nobody'));
  await tell('an error with data', () => client.request('demo/fail', {}));
  await tell('a method nobody knows', () => client.request('demo/nobody', {}));
  await tell('progress', () => counted(journey));

  await tell('resources', () => client.sdk.listResources());
  await tell('templates', () => client.sdk.listResourceTemplates());
  await tell('read', () => client.sdk.readResource({ uri: 'note://today' }));
  await tell('read by template', () => client.sdk.readResource({ uri: 'note://monday/all' }));
  await tell('read what is not there', () => client.sdk.readResource({ uri: 'note://never' }));
  await tell('prompts', () => client.sdk.listPrompts());
  await tell('prompt', () => client.sdk.getPrompt({ name: 'greet', arguments: { name: 'Ada' } }));
  await tell('a prompt that fails', () => client.sdk.getPrompt({ name: 'broken' }));
  await tell('completion', () =>
    client.sdk.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } }),
  );
  await tell('ping', () => client.sdk.ping());
  await tell('a log message', () => logged(journey));
  if (canAsk(journey)) await tell('a question back', () => askBack(journey));

  await tell('cancelled', () => cancelled(journey));
  await tell('timed out', () => timedOut(journey));
  if (!isStateless(journey)) await tell('changes', () => changes(journey));
  await tell('after all that', () => call('echo', { text: 'still here' }));
  return told;
}

/** Progress before the answer, if the transport has a place for it. */
async function counted({ cell, client }: Journey): Promise<unknown> {
  const seen: Message[] = [];
  const all = deferred<unknown>();
  const onprogress = (progress: Message): void => {
    seen.push(progress);
    if (progress['progress'] === 3) all.resolve(undefined);
  };
  const wait = cell.transport !== 'http-json';
  const result = client.callTool({ name: 'count', arguments: { to: 3, wait } }, { onprogress });
  if (wait) {
    await all.promise;
    await client.callTool({ name: 'release', arguments: { key: 'count' } });
  }
  return [seen, await result];
}

async function logged({ client }: Journey): Promise<unknown> {
  const seen: Message[] = [];
  client.onNotification('notifications/message', (params) => seen.push(params));
  const level = { 'io.modelcontextprotocol/logLevel': 'debug' };
  if (client.era() === 'legacy') await client.sdk.setLoggingLevel('debug');
  const result = await client.callTool({ name: 'log', arguments: {}, ...(client.era() === 'modern' && { _meta: level }) });
  return [seen, result];
}

async function askBack({ client }: Journey): Promise<unknown> {
  const questions: Message[] = [];
  client.onElicit((params) => {
    questions.push(params);
    return { action: 'accept', content: { colour: 'green' } };
  });
  const result = await client.callTool({ name: 'ask', arguments: {} });
  return [questions, result];
}

/** Cancelled while the tool runs: what the caller sees, and whether the tool learns it. */
async function cancelled(journey: Journey): Promise<unknown> {
  const { client } = journey;
  const giveUp = new AbortController();
  const slow = client.callTool({ name: 'slow', arguments: { key: 'a' } }, { signal: giveUp.signal }).catch(errorOf);
  await client.callTool({ name: 'happened', arguments: { event: 'started a' } });
  giveUp.abort(new Error('changed my mind'));
  return [await slow, await howItEnded(journey, 'a')];
}

async function timedOut(journey: Journey): Promise<unknown> {
  const slow = await journey.client.callTool({ name: 'slow', arguments: { key: 'b' } }, { timeout: 250 }).catch(errorOf);
  return [slow, await howItEnded(journey, 'b')];
}

async function howItEnded(journey: Journey, key: string): Promise<unknown> {
  const call = (name: string, args: Message): Promise<Message> => journey.client.callTool({ name, arguments: args });
  if (!isStateless(journey)) return call('happened', { event: `cancelled ${key}` });
  await call('release', { key });
  return call('happened', { event: `released ${key}` });
}

/** A resource changes and a tool appears: a legacy client is notified unasked, a modern one on a stream that it opened. */
async function changes({ client }: Journey): Promise<unknown> {
  const [updated, grown] = [deferred<Message>(), deferred<Message>()];
  client.onNotification('notifications/resources/updated', updated.resolve);
  client.onNotification('notifications/tools/list_changed', grown.resolve);
  const uri = 'note://today';
  const subscription =
    client.era() === 'modern'
      ? await client.sdk.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
      : void (await client.sdk.subscribeResource({ uri }));
  await client.callTool({ name: 'touch', arguments: {} });
  await client.callTool({ name: 'grow', arguments: {} });
  const seen = [await updated.promise, await grown.promise];
  const after = [await client.sdk.readResource({ uri }), (await client.allTools()).map(({ name }) => name)];
  if (subscription === undefined) await client.sdk.unsubscribeResource({ uri });
  else await subscription.close();
  return [subscription?.honoredFilter, seen, after, subscription && (await subscription.closed)];
}
