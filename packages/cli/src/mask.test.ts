import { expect, it } from 'vitest';
import { maskArgument, Secrets } from './mask.js';

it.each([
  ['https://user:secret@example.com/mcp?key=abc', 'https://***@example.com/mcp?***'],
  ['--url=https://example.com/?key=abc', '--url=https://example.com/?***'],
  ['postgres://user:secret@db/shop', 'postgres://***@db/shop'],
  ['https://example.com/mcp', 'https://example.com/mcp'],
  ['period=last month', 'period=last month'],
  ['/srv/files', '/srv/files'],
])('an argument %s is shown as %s', (argument, due) => {
  expect(maskArgument(argument)).toBe(due);
});

it('hides the credentials of an argument in whatever a command says', () => {
  const secrets = new Secrets();
  secrets.addArguments(['--url=https://user:p%C3%A4ssword@example.com/?key=abcdefgh']);
  expect(secrets.hide('cannot log in with pässword and abcdefgh')).toBe('cannot log in with *** and ***');
});
