import { describe, expect, it } from 'vitest';
import { defaultOf, keyOf, kindOf, readForm, typedOf, type JsonSchema, type Typed } from './form.js';

const typed = (values: Record<string, string | boolean | readonly string[]>): Typed =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [keyOf(path.split('.')), value]));

describe('the field of a schema', () => {
  it.each<[string, JsonSchema, string]>([
    ['a text', { type: 'string', format: 'date' }, 'text'],
    ['a text that may be null', { type: ['string', 'null'] }, 'text'],
    ['a number', { type: 'number' }, 'number'],
    ['an integer', { type: 'integer' }, 'integer'],
    ['a switch', { type: 'boolean' }, 'flag'],
    ['an enum', { type: 'string', enum: ['a'] }, 'choice'],
    ['constants with titles', { oneOf: [{ const: 1, title: 'one' }] }, 'choice'],
    ['a list of enums', { type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
    ['a list of constants', { type: 'array', items: { anyOf: [{ const: 'a' }] } }, 'choices'],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, 'lines'],
    ['a list of objects', { type: 'array', items: { type: 'object' } }, 'json'],
    ['an object with members', { type: 'object', properties: { a: {} } }, 'group'],
    ['an object without members', { type: 'object' }, 'json'],
    ['alternatives', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
    ['two types', { type: ['string', 'number'] }, 'json'],
    ['nothing known', {}, 'json'],
  ])('%s', (_, schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });

  it('a group that is nested too deeply is JSON', () => {
    expect(kindOf({ type: 'object', properties: { a: {} } }, 3)).toBe('json');
  });
});

const schema: JsonSchema = {
  type: 'object',
  required: ['name', 'sure'],
  properties: {
    name: { type: 'string' },
    sure: { type: 'boolean' },
    count: { type: 'integer', default: 2 },
    sizes: { type: 'array', items: { type: 'number' } },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    level: { enum: [1, 2] },
    rest: {},
    address: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, zip: { type: 'string' } } },
  },
};

describe('a form', () => {
  it('becomes a value: empty fields are absent, an untouched required switch is off', () => {
    const { value, problems } = readForm(
      schema,
      typed({
        name: 'Ada',
        count: '3',
        sizes: '1\n\n2.5',
        tags: ['b'],
        level: '2',
        rest: '[1]',
        'address.city': 'Graz',
        'address.zip': '',
      }),
    );
    expect(problems).toEqual({});
    expect(value).toEqual({
      name: 'Ada',
      sure: false,
      count: 3,
      sizes: [1, 2.5],
      tags: ['b'],
      level: 2,
      rest: [1],
      address: { city: 'Graz' },
    });
  });

  it('names each field that cannot be sent', () => {
    const { problems } = readForm(schema, typed({ count: '1.5', sizes: '1\nx', rest: '{', 'address.zip': '1' }));
    expect(problems).toEqual({
      '["name"]': 'required',
      '["count"]': 'integer',
      '["sizes"]': 'number',
      '["rest"]': 'json',
      '["address","city"]': 'required',
    });
  });

  it('starts with the defaults of the schema, also of its groups', () => {
    const inner: JsonSchema = { type: 'object', properties: { city: { type: 'string', default: 'Wien' } } };
    expect(typedOf(schema, defaultOf(schema))).toEqual(typed({ count: '2' }));
    const outer = { properties: { to: inner, from: { ...inner, default: { city: 'Linz' } } } };
    expect(typedOf(outer, defaultOf(outer))).toEqual(typed({ 'to.city': 'Wien', 'from.city': 'Linz' }));
  });

  it('shows a value as it would have been typed', () => {
    const value = { name: 'x', sure: true, sizes: [1, 2], tags: ['a'], level: 1, rest: { a: 1 }, address: { city: 'Graz' } };
    expect(readForm(schema, typedOf(schema, value)).value).toEqual(value);
  });

  it('does not take a name of Object for a value', () => {
    const odd: JsonSchema = { properties: { constructor: { type: 'string' } } };
    expect(typedOf(odd, {})).toEqual({});
    expect(readForm(odd, {}).value).toEqual({});
  });
});
