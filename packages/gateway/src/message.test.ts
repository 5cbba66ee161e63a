import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { makeMessage, readMessage } from './message.js';
import { eraOf } from './revision.js';

describe('readMessage', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a"}', 'request'],
    ['{"jsonrpc":"2.0","method":"a"}', 'notification'],
    ['{"jsonrpc":"2.0","id":"1","result":{}}', 'result'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}', 'error'],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', undefined],
    ['{"jsonrpc":"1.0","id":1,"method":"a"}', undefined],
    ['{"id":1,"method":"a"}', undefined],
    ['{"jsonrpc":"2.0","id":1,"result":7}', undefined],
    ['[]', undefined],
    ['{', undefined],
  ])('%s is %s', (text, kind) => {
    expect(readMessage(text)?.kind).toBe(kind);
  });
});

describe('eraOf', () => {
  test.each<[named: unknown, method: string, header: string | undefined, era: string]>([
    ['2026-07-28', 'tools/list', undefined, 'modern'],
    ['2027-01-01', 'tools/list', undefined, 'modern'],
    ['2025-11-25', 'tools/list', '2026-07-28', 'legacy'],
    // 2025 has no envelope, so nonsense in it is not from there.
    ['v999', 'tools/list', undefined, 'modern'],
    [7, 'tools/list', undefined, 'modern'],
    ['2026-07-28', 'initialize', undefined, 'modern'],
    [undefined, 'initialize', '2026-07-28', 'legacy'],
    [undefined, 'tools/list', '2026-07-28', 'modern'],
    [undefined, 'tools/list', '2025-11-25', 'legacy'],
    [undefined, 'tools/list', undefined, 'legacy'],
  ])('an envelope with %j, %s and the header %s are %s', (named, method, header, era) => {
    const _meta = named === undefined ? {} : { [keys.PROTOCOL_VERSION]: named };
    expect(eraOf(makeMessage({ jsonrpc: '2.0', id: 1, method, params: { _meta } }), header)).toBe(era);
  });
});
