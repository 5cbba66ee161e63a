import { describe, expect, it } from 'vitest';
import { Legs } from './legs.js';
import type { Exchange, Message } from './types.js';

const request = (params: Message = {}, method = 'tools/call'): Message => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { name: 'ask', ...params },
});
const ended = (result: Message, of: Message = request()): Exchange => ({
  id: 1,
  method: 'tools/call',
  sender: 'us',
  request: of,
  outcome: 'result',
  answer: { jsonrpc: '2.0', id: 1, result },
});
const needs = (more: Message): Message => ({ resultType: 'input_required', ...more });
const LONG = 'x'.repeat(10_000);

describe('Legs', () => {
  it.each<[string, Message, Message]>([
    ['the state', needs({ requestState: 'sealed' }), { requestState: 'sealed' }],
    [
      'the state and the inputs',
      needs({ requestState: 'sealed', inputRequests: { a: {} } }),
      { requestState: 'sealed', inputResponses: { a: {} } },
    ],
    ['the inputs alone, in any order', needs({ inputRequests: { b: {}, a: {} } }), { inputResponses: { a: {}, b: {} } }],
    ['a very long state', needs({ requestState: 'x'.repeat(100_000) }), { requestState: 'x'.repeat(100_000) }],
  ])('a leg is tied to the one before by %s', (_what, result, params) => {
    const legs = new Legs<string>();
    legs.remember(ended(result), 'first');
    expect(legs.recall(request(params))).toBe('first');
    expect(legs.recall(request(params))).toBeUndefined();
  });

  it.each<[string, Message, Message]>([
    ['a result that needs nothing', { content: [], requestState: 's' }, request({ requestState: 's' })],
    ['another state', needs({ requestState: 's' }), request({ requestState: 't' })],
    ['another tool', needs({ requestState: 's' }), request({ requestState: 's', name: 'other' })],
    ['another method', needs({ requestState: 's' }), request({ requestState: 's' }, 'prompts/get')],
    ['a first leg', needs({ requestState: 's' }), request()],
    ['no params', needs({ requestState: 's' }), { jsonrpc: '2.0', id: 1, method: 'tools/call' }],
    ['a long state that ends otherwise', needs({ requestState: `${LONG}a` }), request({ requestState: `${LONG}b` })],
    ['a long state that begins otherwise', needs({ requestState: `a${LONG}` }), request({ requestState: `b${LONG}` })],
    ['a longer state with the same ends', needs({ requestState: LONG }), request({ requestState: `${LONG}x` })],
    ['a state that is no text', needs({ requestState: 7 }), request({ requestState: '7' })],
  ])('a leg is not tied to %s', (_what, result, next) => {
    const legs = new Legs<string>();
    legs.remember(ended(result), 'first');
    expect(legs.recall(next)).toBeUndefined();
  });

  it('nothing is tied if two calls wait for the same input, and both being over starts afresh', () => {
    const legs = new Legs<string>();
    const [result, next] = [needs({ requestState: 's' }), request({ requestState: 's' })];
    legs.remember(ended(result), 'one');
    legs.remember(ended(result), 'two');
    expect([legs.recall(next), legs.recall(next)]).toEqual([undefined, undefined]);
    legs.remember(ended(result), 'three');
    expect(legs.recall(next)).toBe('three');
  });

  it('each leg is tied to its own call if the SDK sends the same arguments object again, even if two calls wait for the same input', () => {
    const legs = new Legs<string>();
    const [one, two] = [{ n: 1 }, { n: 1 }];
    legs.remember(ended(needs({ requestState: 's' }), request({ arguments: one })), 'one');
    legs.remember(ended(needs({ requestState: 's' }), request({ arguments: two })), 'two');
    const next = (given: object): Message => request({ arguments: given, requestState: 's' });
    expect([legs.recall(next(two)), legs.recall(next(one))]).toEqual(['two', 'one']);
  });

  it('the oldest waiting call is forgotten beyond the limit', () => {
    const legs = new Legs<number>();
    for (let n = 0; n < 300; n++) legs.remember(ended(needs({ requestState: `s${n}` })), n);
    expect(legs.recall(request({ requestState: 's0' }))).toBeUndefined();
    expect(legs.recall(request({ requestState: 's299' }))).toBe(299);
  });
});
