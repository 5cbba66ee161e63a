import { describe, expect, it } from 'vitest';
import { nameConnection } from './connectionName.js';
import type { ClientConnection } from '../part.js';

describe('nameConnection', () => {
  const connection = (given: object): ClientConnection =>
    ({ seesAnswers: true, followsRedirects: true, url: new URL('https://shop.example.com/mcp'), ...given }) as never;
  const options = { allowHosts: ['shop.example.com'] } as never;

  it('STATE-30: nameConnection names the server behind an HTTP transport by its host', () => {
    expect(nameConnection(connection({}), options)).toEqual({ name: 'shop.example.com' });
  });

  it.each([
    ['its redirects cannot be followed', { followsRedirects: false }],
    ['nobody sees its answers', { seesAnswers: false }],
  ])('STATE-41: a server keeps nothing if %s, even with a given name', (_, given) => {
    expect(nameConnection(connection(given), options)).toHaveProperty('refused');
    expect(nameConnection(connection({ ...given, server: 'shop' }), options)).toHaveProperty('refused');
  });
});
