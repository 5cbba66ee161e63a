import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { citedRules, leaksOf } from './leaks.mjs';
import { pinned } from './surface.mjs';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const surface = pinned('exports') as Record<string, Record<string, string>>;
const entries = Object.keys(surface).filter((entry) => /^waybill(?:\/|$)/.test(entry));
const isAdapter = (entry: string): boolean => entry.startsWith('waybill/adapter');
const namesOf = (entry: string, only: (kind: string) => boolean): string[] =>
  Object.entries(surface[entry] ?? {}).flatMap(([name, kind]) => (only(kind) ? [name] : []));
const isValue = (kind: string): boolean => kind !== 'type';

const guides = [
  'README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.endsWith('adapters.md') && !/^(?:decisions|upstream)\b/.test(name))
    .map((name) => `docs/${name}`),
]
  .map(read)
  .join('\n');
const mentions = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

describe('the two tiers of the public surface', () => {
  it.each(entries.filter((entry) => !isAdapter(entry)))('every function of %s is in a guide', (entry) => {
    expect(namesOf(entry, isValue).filter((name) => !mentions(guides, name))).toEqual([]);
  });

  it.each(entries.filter(isAdapter))('every function of %s is in docs/reference/adapters.md', (entry) => {
    const document = read('docs/reference/adapters.md');
    expect(namesOf(entry, isValue).filter((name) => !mentions(document, name))).toEqual([]);
  });

  it('docs/reference/adapters.md names no function that is gone', () => {
    const known = new Set(entries.flatMap((entry) => namesOf(entry, () => true)));
    const named = [...read('docs/reference/adapters.md').matchAll(/^\| (`[^|]*?) +\|/gm)].flatMap(([, cell]) =>
      [...(cell as string).matchAll(/`(\w+)/g)].map(([, name]) => name as string),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('no function is in both tiers', () => {
    const inGuides = new Set(entries.filter((entry) => !isAdapter(entry)).flatMap((entry) => namesOf(entry, isValue)));
    const inAdapters = entries.filter(isAdapter).flatMap((entry) => namesOf(entry, isValue));
    expect(inAdapters.filter((name) => inGuides.has(name))).toEqual([]);
  });

  it('the README of the package lists every entry', () => {
    const listed = [...read('packages/waybill/README.md').matchAll(/^\| `(waybill[^`]*)`/gm)].map(([, entry]) => entry);
    expect(listed.sort()).toEqual([...entries].sort());
  });

  it.each(['waybill', 'time'])('every interface in the public declarations of %s can be named', (folder) => {
    expect(leaksOf(folder)).toEqual([]);
  });

  it.each(['waybill', 'time', 'gateway', 'conformance'])('no comment on a public name of %s cites a rule', (folder) => {
    expect(citedRules(folder)).toEqual([]);
  });
});
