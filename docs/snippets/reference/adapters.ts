import assert from 'node:assert/strict';
// #region hop
import { ContextError } from 'waybill';
import { errorAnswer, hopByHop, IdPool, kindOf, readRequest, relayJar, startTrace, writeRequest } from 'waybill/adapter';

interface Message {
  [member: string]: unknown;
  params?: { _meta?: object };
}

const ids = new IdPool();
const jar = relayJar();

export async function hop(message: Message, principal: string, forward: (message: Message) => Promise<Message>): Promise<Message> {
  if (kindOf(message) !== 'request') return forward(message);
  try {
    const { trace, issues } = readRequest(message); // never throws; `issues` says what was dropped
    for (const { concern, key, problem } of issues) console.warn(`${concern}: ${key} ${problem}`);
    const begun = trace ?? startTrace({ traceId: ids.traceId(), parentId: ids.spanId() });
    const own = Object.entries(message.params?._meta ?? {}).filter(([key]) => !hopByHop.has(key));
    const onward = writeRequest({ ...message, params: { ...message.params, _meta: Object.fromEntries(own) } }, { trace: begun });
    const { message: carried, take } = await jar.send(onward, { server: 'shop', principal });
    return await take(await forward(carried));
  } catch (error) {
    if (error instanceof ContextError) return errorAnswer(message['id'], error);
    throw error;
  }
}
// #endregion
const answer = await hop({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'anna', (sent) => {
  assert.match(JSON.stringify(sent), /traceparent/);
  return Promise.resolve({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
});
assert.deepEqual(answer, { jsonrpc: '2.0', id: 1, result: { tools: [] } });
