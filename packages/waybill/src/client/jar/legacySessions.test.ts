import { describe, expect, it } from 'vitest';
import { keyOf } from './conversations.js';
import { Jars } from './jars.js';
import { LegacySessions, type ConnectionUse } from './legacySessions.js';

function setUp() {
  const { conversations } = new Jars();
  const sessions = new LegacySessions();
  conversations.onEnd = (key) => {
    sessions.endConversation(key);
  };
  const [one, other]: [ConnectionUse, ConnectionUse] = [new Map(), new Map()];
  return { conversations, sessions, one, other };
}

describe('D-05: a conversation that used a connection', () => {
  it('it is remembered once, however often it is resumed, and only for that connection', () => {
    const { conversations, sessions, one, other } = setUp();
    for (let n = 0; n < 3; n++) sessions.recordUse(one, conversations.resume('ann', 'x'), n === 0 ? 'shop' : 'other');
    sessions.recordUse(one, conversations.resume('bob', 'x'), 'shop');
    expect([...one.values()].map(({ servers }) => [...servers])).toEqual([['shop', 'other'], ['shop']]);
    expect([...one.keys()]).toEqual([keyOf({ principal: 'ann', id: 'x' }), keyOf({ principal: 'bob', id: 'x' })]);
    expect(other.size).toBe(0);
  });

  it('it is forgotten on every connection when it ends, and does not come back', async () => {
    const { conversations, sessions, one, other } = setUp();
    const conversation = conversations.begin('ann');
    for (const connection of [one, other]) sessions.recordUse(connection, conversation, 'shop');
    await conversation.end();
    sessions.recordUse(one, conversation, 'shop');
    expect([one.size, other.size, sessions.knows(conversation)]).toEqual([0, 0, false]);
  });

  it('it stays remembered for the other connections when one of them closes', () => {
    const { conversations, sessions, one, other } = setUp();
    const conversation = conversations.resume('ann', 'x');
    for (const connection of [one, other]) sessions.recordUse(connection, conversation, 'shop');
    sessions.closeConnection(one);
    expect([one.size, other.size, sessions.knows(conversation)]).toEqual([0, 1, true]);
    sessions.closeConnection(other);
    expect([other.size, sessions.knows(conversation)]).toEqual([0, false]);
  });
});
