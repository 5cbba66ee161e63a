import { describe, expect, test } from 'vitest';
import { makeMessage } from '../message.js';
import { readHeaderText } from './envelope.js';
import { listTools, paramHeadersByTool, writeParamHeaders } from './toolHeaders.js';

const tool = (properties: object, name = 'time') => ({ name, inputSchema: { type: 'object', properties } });
const declared = (properties: object) => paramHeadersByTool([tool(properties)]).get('time') ?? [];

describe('the headers of a call', () => {
  test.each<[string, object, unknown, object]>([
    ['a text', { zone: { 'x-mcp-header': 'Zone' } }, { zone: 'Europe/Vienna' }, { 'mcp-param-zone': 'Europe/Vienna' }],
    ['a number', { n: { 'x-mcp-header': 'N' } }, { n: 1.5 }, { 'mcp-param-n': '1.5' }],
    ['no', { n: { 'x-mcp-header': 'N' } }, { n: false }, { 'mcp-param-n': 'false' }],
    ['a nested argument', { a: { properties: { b: { 'x-mcp-header': 'B' } } } }, { a: { b: 'x' } }, { 'mcp-param-b': 'x' }],
    ['an argument that is missing', { zone: { 'x-mcp-header': 'Zone' } }, {}, {}],
    ['no arguments at all', { zone: { 'x-mcp-header': 'Zone' } }, undefined, {}],
    ['an object, which no header can repeat', { zone: { 'x-mcp-header': 'Zone' } }, { zone: {} }, {}],
    ['a name that no header can have', { zone: { 'x-mcp-header': 'Zone: evil' } }, { zone: 'x' }, {}],
  ])('repeat %s', (_, properties, args, expected) => {
    expect(writeParamHeaders(declared(properties), args)).toEqual(expected);
  });

  test.each(['plain', 'Zürich', ' blanks around ', 'two\r\nlines', '', '=?base64?AA==?='])(
    'carry %j so that it can be read again',
    (value) => {
      const { 'mcp-param-zone': header = '' } = writeParamHeaders(declared({ zone: { 'x-mcp-header': 'Zone' } }), { zone: value });
      expect(header).toMatch(/^[\x21-\x7e]*$/);
      expect(readHeaderText(header)).toBe(value);
    },
  );
});

test('the tools are listed page by page, and not for ever', async () => {
  const asked: unknown[] = [];
  const page = (tools: object[], nextCursor?: string) => makeMessage({ jsonrpc: '2.0', id: 1, result: { tools, nextCursor } });
  const tools = await listTools(({ params }) => {
    asked.push(params);
    return Promise.resolve(asked.length === 1 ? page([tool({}, 'a')], 'next') : page([tool({}, 'b')]));
  });
  expect([tools.length, asked]).toEqual([2, [{}, { cursor: 'next' }]]);
  expect(await listTools(() => Promise.resolve(page([tool({})], 'again')))).toHaveLength(1_000);
});
