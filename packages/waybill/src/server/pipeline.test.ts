import { describe, expect, it } from 'vitest';
import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE, EXTENSION_ID } from '../wire/keys.js';
import { createLayer } from './layer.js';
import type { ServerPart } from './part.js';
import { partsOf } from './parts.js';
import { serve } from './pipeline.js';
import { IncomingRequest } from './request.js';

const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'x', _meta: { [ACCEPT_LANGUAGE]: 'fr' } } };

function asked(parts: readonly ServerPart[] = [], headers?: Record<string, string>): IncomingRequest {
  const options = { languages: ['en', 'fr'], parts };
  return new IncomingRequest(createLayer(options, partsOf(options)), message, headers);
}

describe('the pipeline without an SDK', () => {
  it('before, next and result run in this order, in one turn', () => {
    const order: string[] = [];
    const part: ServerPart = {
      name: 'mine',
      before: () => void order.push('before'),
      result: (result) => (order.push('result'), { ...result, mine: true }),
    };
    const request = asked([part]);
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
    const request = asked([{ name: 'slow', before: () => Promise.resolve() }]);
    const answer = serve(request, (given) => Promise.resolve({ jsonrpc: '2.0', id: given['id'], result: {} }));
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it('LANG-42: a mismatch is answered with the refusal, and next never runs', () => {
    let ran = 0;
    const answer = serve(asked([], { 'accept-language': 'de' }), () => {
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
    expect(serve(asked([refuses(new ContextError('missing-capability'))]), next)).toMatchObject({ error: { code: -32021 } });
    expect(serve(asked([refuses(new Error('a fault'))]), next)).toMatchObject({ result: {} });
  });

  it('the answer does not carry the ticket of the request', () => {
    const answer = serve(asked(), (given) => ({ jsonrpc: '2.0', id: 7, result: { _meta: (given['params'] as Message)['_meta'] } }));
    expect((answer as any).result._meta).not.toHaveProperty(EXTENSION_ID);
  });

  it('the request does not change', () => {
    const request = asked();
    expect(Object.isFrozen(request)).toBe(true);
    expect(message.params._meta).toEqual({ [ACCEPT_LANGUAGE]: 'fr' });
  });
});
