import { describe, expect, it } from 'vitest';
import { Bound, type Bonds } from './bound.js';
import { keyOf } from './jar/conversation.js';
import { Jars } from './jar/jars.js';

function setUp() {
  const { conversations } = new Jars();
  const bound = new Bound();
  conversations.onOver = (key) => {
    bound.over(key);
  };
  const [one, other]: [Bonds, Bonds] = [new Map(), new Map()];
  return { conversations, bound, one, other };
}

describe('D-05: a conversation that spoke on a connection', () => {
  it('is bound to it once, however often it is resumed, and not to others', () => {
    const { conversations, bound, one, other } = setUp();
    for (let n = 0; n < 3; n++) bound.add(one, conversations.resume('ann', 'x'), n === 0 ? 'shop' : 'other');
    bound.add(one, conversations.resume('bob', 'x'), 'shop');
    expect([...one.values()].map(({ servers }) => [...servers])).toEqual([['shop', 'other'], ['shop']]);
    expect([...one.keys()]).toEqual([keyOf({ principal: 'ann', id: 'x' }), keyOf({ principal: 'bob', id: 'x' })]);
    expect(other.size).toBe(0);
  });

  it('is forgotten on every connection when it is over, and does not come back', async () => {
    const { conversations, bound, one, other } = setUp();
    const conversation = conversations.begin('ann');
    for (const bonds of [one, other]) bound.add(bonds, conversation, 'shop');
    await conversation.end();
    bound.add(one, conversation, 'shop');
    expect([one.size, other.size, bound.size]).toEqual([0, 0, 0]);
  });

  it('stays bound to the other connections when one of them is over', () => {
    const { conversations, bound, one, other } = setUp();
    for (const bonds of [one, other]) bound.add(bonds, conversations.resume('ann', 'x'), 'shop');
    bound.clear(one);
    expect([one.size, other.size, bound.size]).toEqual([0, 1, 1]);
    bound.clear(other);
    expect([other.size, bound.size]).toEqual([0, 0]);
  });
});
