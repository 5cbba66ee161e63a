import { describe, expect, it } from 'vitest';
import type { Message } from '../transport/index.js';
import { ContextError, errorAnswer } from '../wire/errors.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE, EXTENSION_ID } from '../wire/keys.js';
import { createLayer } from './layer.js';
import { andThen, andThenAsk } from '../wire/maybe.js';
import type { ServerPart } from './part.js';
import { partsOf } from './parts.js';
import { admit, finish } from './pipeline.js';
import { IncomingRequest } from './request.js';

const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'x', _meta: { [ACCEPT_LANGUAGE]: 'fr' } } };

function requestWith(parts: readonly ServerPart[] = [], headers?: Record<string, string>): IncomingRequest {
  const options = { languages: ['en', 'fr'], parts };
  return new IncomingRequest(createLayer(options, partsOf(options)), message, headers);
}

/** The smallest adapter: `next` stands for an SDK and its handler. */
function serve(request: IncomingRequest, next: (message: Message) => Message | Promise<Message>): Message | Promise<Message> {
  return andThenAsk(
    () => admit(request),
    (complete) => complete ?? andThen(next(request.message), (answer) => finish(answer, request)),
    (error) => finish(errorAnswer(request.message['id'], error as ContextError), request),
  );
}

describe('the pipeline without an SDK', () => {
  it('before, next and result run in this order, in one turn', () => {
    const order: string[] = [];
    const part: ServerPart = {
      name: 'mine',
      before: () => void order.push('before'),
      result: (result) => (order.push('result'), { ...result, mine: true }),
    };
    const request = requestWith([part]);
    const answer = serve(request, (given) => {
      order.push('next');
      return { jsonrpc: '2.0', id: given['id'], result: { content: [], text: request.context.language.chosen } };
    });
    expect(order).toEqual(['before', 'next', 'result']);
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { content: [], text: 'fr', mine: true, _meta: { [CONTENT_LANGUAGE]: 'fr' } },
    });
  });

  it('the pipeline waits for a part and for next if they are asynchronous', async () => {
    const request = requestWith([{ name: 'slow', before: () => Promise.resolve() }]);
    const answer = serve(request, (given) => Promise.resolve({ jsonrpc: '2.0', id: given['id'], result: {} }));
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it('LANG-42: a mismatch is answered with the refusal, and next never runs', () => {
    let ran = 0;
    const answer = serve(requestWith([], { 'accept-language': 'de' }), () => {
      ran++;
      return {};
    });
    expect([ran, answer]).toMatchObject([0, { id: 7, error: { code: -32020 } }]);
  });

  it('a part refuses with a ContextError, and only with that', () => {
    const refuses = (error: Error): ServerPart => ({
      name: 'refuses',
      before: () => {
        throw error;
      },
    });
    const next = (): Message => ({ jsonrpc: '2.0', id: 7, result: {} });
    expect(serve(requestWith([refuses(new ContextError('missing-capability'))]), next)).toMatchObject({ error: { code: -32021 } });
    expect(serve(requestWith([refuses(new Error('a fault'))]), next)).toMatchObject({ result: {} });
  });

  it('the answer does not carry the ticket of the request', () => {
    const answer = serve(requestWith(), (given) => ({ jsonrpc: '2.0', id: 7, result: { _meta: (given['params'] as Message)['_meta'] } }));
    expect((answer as any).result._meta).not.toHaveProperty(EXTENSION_ID);
  });

  it('the request does not change', () => {
    const request = requestWith();
    expect(Object.isFrozen(request)).toBe(true);
    expect(message.params._meta).toEqual({ [ACCEPT_LANGUAGE]: 'fr' });
  });
});
