import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalogFolder } from './catalogs.js';

const folders: string[] = [];
function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'catalogs-'));
  folders.push(path);
  for (const [name, text] of Object.entries(files)) put(path, name, text);
  return path;
}
function put(path: string, name: string, text: string): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), text);
}
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

describe('a folder of catalogues', () => {
  it('holds one file a language, or a folder of them', async () => {
    const path = folder({
      'en.json': '\ufeff{"a": "A", "b": "B"}',
      'de/one.json': '{"a": "Ä"}',
      'de/two.json': '{"b": "Ö"}',
      'README.md': 'not one',
      'de/notes.txt': 'nor this',
    });
    const words = await catalogFolder(pathToFileURL(`${path}/`), { default: 'en' });
    expect(words.languages).toEqual(['en', 'de']);
    expect([words.find('de', 'a')?.text, words.find('de', 'b')?.text, words.find('en', 'a')?.text]).toEqual(['Ä', 'Ö', 'A']);
  });

  it.each<[Record<string, string>, string]>([
    [{ 'en.json': '{"a": "x",\n"b": }' }, 'en.json: line 2, column 6: is not JSON'],
    [{ 'en.json': '{"a": "x"' }, 'en.json: line 1, column 10: is not JSON'],
    [{ 'en.json': '{"a": "x {"}' }, 'en.json: a: line 1, column 3: expects argument closing brace'],
    [{ 'en.json': '{}', 'de_AT.json': '{}' }, 'de_AT.json: is not named with a BCP 47 language tag'],
    [{ 'en.json': '{"a": "x"}', 'de/1.json': '{"a": "x"}', 'de/2.json': '{"a": "y"}' }, join('de', '2.json: a: is there twice')],
    [{ 'en.json': '[]' }, 'en.json: is a list, not an object of entries'],
    [{ 'de.json': '{}' }, 'default: there is no catalogue "en"'],
  ])('that is wrong is refused with file, key and place: %j', async (files, message) => {
    await expect(catalogFolder(folder(files), { default: 'en' })).rejects.toThrow(message);
  });

  it('that is not there is an error of the file system', async () => {
    await expect(catalogFolder(join(tmpdir(), 'nowhere', 'at-all'), { default: 'en' })).rejects.toThrow('ENOENT');
  });

  it('is read again when asked', async () => {
    const path = folder({ 'en.json': '{"a": "old"}' });
    const words = await catalogFolder(path, { default: 'en' });
    put(path, 'en.json', '{"a": "new"}');
    await words.reload();
    expect(words.find('en', 'a')?.text).toBe('new');
    put(path, 'en.json', '{"a": ');
    await expect(words.reload()).rejects.toThrow('is not JSON');
    expect(words.find('en', 'a')?.text).toBe('new');
    words.close();
  });

  it('is watched in development: what holds is taken over, what does not is reported', async () => {
    const path = folder({ 'en.json': '{"a": "old"}' });
    const onIssue = vi.fn();
    const words = await catalogFolder(path, { default: 'en', watch: true, onIssue });
    try {
      put(path, 'en.json', '{"a": "new"}');
      await vi.waitFor(() => expect(words.find('en', 'a')?.text).toBe('new'), { timeout: 10_000 });
      put(path, 'en.json', '{"a": "broken {"}');
      await vi.waitFor(() => expect(onIssue).toHaveBeenCalled(), { timeout: 10_000 });
      expect(onIssue.mock.calls[0]?.[0].problem).toContain('en.json: a: line 1, column 8');
      expect(words.find('en', 'a')?.text).toBe('new');
    } finally {
      words.close();
    }
  });
});
