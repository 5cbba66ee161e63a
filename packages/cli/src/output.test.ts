import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Output } from './output.js';

it('writes no status over a question while it waits for its answer', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const out = new Output(terminal, terminal, { json: false, env: {} });
  const written = (): string => String(terminal.read() ?? '');
  out.status('waiting');
  expect(written()).toContain('waiting');
  out.isAsking = true;
  expect(written()).not.toContain('waiting');
  out.status('waiting');
  expect(written()).toBe('');
  out.isAsking = false;
  out.status('waiting');
  expect(written()).toContain('waiting');
});

it('cuts a status to one line of the terminal, so that it can be written over', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 20 });
  const out = new Output(terminal, terminal, { json: false, env: { NO_COLOR: '1' } });
  out.status('connecting to a server with a long name');
  expect(String(terminal.read())).toBe('\r\u001b[Kconnecting to a se…');
});
