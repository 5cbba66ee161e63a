import { expect, it } from 'vitest';
import { clientContext } from './context.js';
import { valuesIn } from './options.js';

it('an option that is undefined is no value', () => {
  expect(Object.keys(valuesIn({ language: undefined, trace: 'start' }))).toEqual(['trace']);
});

it.each(['deutsch', 'Deutsch', 'german'])('D-33: a language that is named, not tagged, suggests its tag: %s', (language) => {
  expect(() => clientContext({ language })).toThrow('did you mean de?');
});
