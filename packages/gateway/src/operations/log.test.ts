import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { lineOf, redacted, type LogEntry } from './log.js';
import { openLog } from './writer.js';

const audit = {
  ...{ who: '["https://id.example","alice"]', upstream: 'time', method: 'tools/call', name: 'convert_time', outcome: 'ok', status: 200 },
  ...{ milliseconds: 12, disclosed: ['language', 'timezone'], withheld: ['trace'] },
};

test('an audit line in text has one member after the other', () => {
  expect(lineOf({ level: 'info', message: 'call', audit })).toBe(
    'audit who="[\\"https://id.example\\",\\"alice\\"]" upstream=time method=tools/call name=convert_time outcome=ok status=200 milliseconds=12 disclosed=language,timezone withheld=trace',
  );
});

test('a name that a client chose cannot look like a further member or line', () => {
  const line = lineOf({ level: 'info', message: 'call', audit: { ...audit, name: 'a outcome=ok\naudit who=root' } });
  expect(line).toContain('name="a outcome=ok\\naudit who=root"');
  expect(line.split('\n')).toHaveLength(1);
});

test.each([
  ['not a message: {"_meta":{"a":"}{\\"","b":{}},"x":1}', 'not a message: {"_meta":[redacted],"x":1}'],
  ['{"_meta": {"zone":"Europe/Vienna"', '{"_meta": [redacted]'],
  ['{\\"_meta\\":{\\"a\\":1}} and {"_meta":{}}', '{\\"_meta\\":[redacted]} and {"_meta":[redacted]}'],
  ['nothing here: "_meta"', 'nothing here: "_meta"'],
])('_meta is taken out of %s', (text, expected) => {
  expect(redacted(text)).toBe(expected);
});

describe('log: { format: json }', () => {
  const written = async (entry: LogEntry): Promise<object> => {
    const output = new PassThrough();
    (await openLog('json', output))(entry);
    return JSON.parse(String(output.read())) as object;
  };

  test('an event has level, time, name, upstream and msg, with _meta redacted', async () => {
    const line = await written({ level: 'warn', upstream: 'time', message: 'not a message: {"_meta":{"secret":1}}' });
    expect(line).toEqual({
      ...{ level: 40, time: expect.stringMatching(/^\d{4}-/) as string, name: 'waybill-gateway', upstream: 'time' },
      msg: 'not a message: {"_meta":[redacted]}',
    });
  });

  test('a call has its audit members', async () => {
    expect(await written({ level: 'info', message: 'call', audit })).toEqual({
      ...{ level: 30, time: expect.any(String) as string, name: 'waybill-gateway', audit, msg: 'call' },
    });
  });
});

test('words of a server cannot begin another line, or move the cursor', () => {
  expect(lineOf({ level: 'warn', upstream: 'crm', message: 'a\naudit who=root\r\u001b[2K\u009b2K\tb' })).toBe(
    'crm: a\\u000aaudit who=root\\u000d\\u001b[2K\\u009b2K\tb',
  );
});
