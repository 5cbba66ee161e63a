import type { Owner, Part } from './pages.js';

type Filter = Part & { readonly server?: string };

const MEMBERS: Readonly<Record<keyof Filter, (value: unknown) => string | undefined>> = {
  principal: text,
  server: serverText,
  scope: (value) => (value === 'session' || value === 'server' ? undefined : "expected 'session' or 'server'"),
  conversation: (value) =>
    (typeof value === 'object' && value !== null) || (typeof value === 'string' && value !== '')
      ? undefined
      : 'expected a conversation or its id',
};

export const OWNER: readonly (keyof Owner)[] = ['principal'];
export const PART: readonly (keyof Part)[] = ['principal', 'scope', 'conversation'];

/** A filter that is misspelt or came out empty would otherwise mean everything, which `clear` then forgets: it throws instead. */
export function checkFilter(call: string, filter: object, members: readonly (keyof Filter)[]): void {
  const given: unknown = filter;
  if (typeof given !== 'object' || given === null) throw new TypeError(`jar.${call}: expected an object with ${members.join(', ')}`);
  for (const [name, value] of Object.entries(given)) {
    const member = members.find((known) => known === name);
    if (member === undefined) throw new TypeError(`jar.${call}: ${name}: is not a member; expected ${members.join(', ')}`);
    const problem = value === undefined ? 'is undefined; leave it out where it is not meant' : MEMBERS[member](value);
    if (problem !== undefined) throw new TypeError(`jar.${call}: ${name}: ${problem}`);
  }
}

/** An argument that must be there. */
export function checkText(call: string, name: 'server' | 'name' | 'id', value: unknown): void {
  const problem = value === undefined ? 'is missing' : name === 'name' ? text(value) : serverText(value);
  if (problem !== undefined) throw new TypeError(`jar.${call}: ${name}: ${problem}`);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'expected a text';
}

function serverText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'expected a text that is not empty';
}
