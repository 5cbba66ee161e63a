import { expect, it } from 'vitest';
import { readWords } from '../command/words.js';
import { checkServer, type ServerOptions } from './checkServer.js';

const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
});`;

it('the first answer of a command may take as long as a start; waiting is reported every second', async () => {
  const steps: string[] = [];
  const none = new Set<string>();
  const base: ServerOptions = {
    ...{ only: new Set(['trace']), requirement: new Set(['TRACE-01']), expected: none, wire: 'current' },
    // No process starts within a millisecond.
    timeout: 1,
    onStep: (step) => steps.push(step),
    onOutcome: () => undefined,
  };
  const quick = { command: [process.execPath, '-e', ECHO] };
  expect((await checkServer(quick, base)).revisions).toEqual([]);
  expect((await checkServer(quick, { ...base, starting: 15_000 })).revisions).toHaveLength(2);
  const slow = { command: [process.execPath, '-e', `setTimeout(() => { ${ECHO} }, 1500)`] };
  expect((await checkServer(slow, { ...base, starting: 15_000 })).revisions).toHaveLength(2);
  expect(steps).toContain('waiting for the first answer, 1 s');
}, 60_000);

it('an answer may take 3 s, the first one of a command 15 s; --timeout sets both', () => {
  expect(readWords(['server', '--', 'x'])).toMatchObject({ timeout: 3000, starting: 15_000 });
  expect(readWords(['server', '--timeout', '500', '--', 'x'])).toMatchObject({ timeout: 500, starting: 500 });
});
