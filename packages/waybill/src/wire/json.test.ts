import { expect, it } from 'vitest';
import { membersWithin } from './json.js';

it('names of members count against the bounds, like their values', () => {
  const dropped: string[] = [];
  const kept = membersWithin({ four: 1, x: 2 }, { depth: 4, values: 10, characters: 4 }, (name) => dropped.push(name));
  expect([kept, dropped]).toEqual([{ four: 1 }, ['x']]);
});
