import { describe, expect, it } from 'vitest';
import { translationRule } from '../../wire/language.js';
import { localiseElicitation } from './elicitation.js';

const texts = new Map<string, string>();
const shout = (key: string, text: string): string => {
  texts.set(key, text);
  return text.toUpperCase();
};
const form = {
  mode: 'form',
  message: 'Which?',
  requestedSchema: {
    type: 'object',
    properties: {
      plain: { type: 'string', title: 'Plain', description: 'A text', default: 'x', format: 'email', pattern: 'a' },
      one: { type: 'string', oneOf: [{ const: 'a', title: 'first' }, { const: 'b' }] },
      many: { type: 'array', items: { anyOf: [{ const: 'a', title: 'first' }], type: 'string' } },
      old: { type: 'string', enum: ['a', 'b'], enumNames: ['first', 'second'] },
      __proto__x: true,
      bare: { type: 'boolean' },
    },
    required: ['plain'],
  },
};

describe('an elicitation', () => {
  it('LANG-34: an elicitation changes the texts that the user reads, for every way to offer options, and nothing else', () => {
    const given = JSON.stringify(form);
    const next = localiseElicitation('which', form, shout);
    expect(next).toEqual({
      mode: 'form',
      message: 'WHICH?',
      requestedSchema: {
        type: 'object',
        properties: {
          plain: { type: 'string', title: 'PLAIN', description: 'A TEXT', default: 'x', format: 'email', pattern: 'a' },
          one: { type: 'string', oneOf: [{ const: 'a', title: 'FIRST' }, { const: 'b' }] },
          many: { type: 'array', items: { anyOf: [{ const: 'a', title: 'FIRST' }], type: 'string' } },
          old: { type: 'string', enum: ['a', 'b'], enumNames: ['FIRST', 'SECOND'] },
          __proto__x: true,
          bare: { type: 'boolean' },
        },
        required: ['plain'],
      },
    });
    expect(JSON.stringify(form)).toBe(given);
    expect([...texts.keys()]).toContain('elicitations.which.properties.old.options.b');
  });

  it('only fields that may be translated change', () => {
    const differences = (a: any, b: any, path: (string | number)[] = []): (string | number)[][] =>
      typeof a !== 'object' || a === null
        ? Object.is(a, b)
          ? []
          : [path]
        : [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) => differences(a[name], b[name], [...path, name]));
    const changed = differences(form, localiseElicitation('which', form, shout));
    expect(changed.length).toBeGreaterThan(6);
    for (const path of changed) expect([path, translationRule('ElicitRequestFormParams', path)]).toEqual([path, 'should']);
  });

  it.each<[object, object]>([
    [
      { mode: 'url', message: 'Open', url: 'https://x.test', elicitationId: 'e' },
      { mode: 'url', message: 'OPEN', url: 'https://x.test', elicitationId: 'e' },
    ],
    [{ message: 5 }, { message: 5 }],
    [{ requestedSchema: null }, { requestedSchema: null }],
    [{ requestedSchema: { properties: [] } }, { requestedSchema: { properties: [] } }],
  ])('by URL or of no known shape: %j', (params, expected) => {
    expect(localiseElicitation('x', params, shout)).toEqual(expected);
  });

  it('only own properties are read: __proto__ is a name like any other', () => {
    const params = JSON.parse('{"requestedSchema":{"properties":{"__proto__":{"title":"a"}}}}');
    expect(JSON.stringify(localiseElicitation('x', params, shout))).toBe('{"requestedSchema":{"properties":{"__proto__":{"title":"A"}}}}');
  });
});
