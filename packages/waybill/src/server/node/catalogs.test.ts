import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalogFolder } from './catalogs.js';

const folders: string[] = [];
function folder(files: Record<string, string | Buffer>): string {
  const path = mkdtempSync(join(tmpdir(), 'catalogs-'));
  folders.push(path);
  for (const [name, text] of Object.entries(files)) put(path, name, text);
  return path;
}
function put(path: string, name: string, text: string | Buffer): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), text);
}
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

describe('a folder of catalogues', () => {
  it('a folder holds one file for each language, or a folder of them', async () => {
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

  it.each<[Record<string, string | Buffer>, string]>([
    [{ 'en.json': '{"a": "x",\n"b": }' }, 'en.json: line 2, column 6: is not JSON'],
    [{ 'en.json': '{"a": "x"' }, 'en.json: line 1, column 10: is not JSON'],
    [{ 'en.json': '{"a": {"b": "x"},\n "a": {"c": "y"}}' }, 'en.json: line 2, column 2: "a" is there twice'],
    [{ 'en.json': Buffer.from('{"a": "\u00e9"}', 'latin1') }, 'en.json: is not UTF-8'],
    [{ 'en.json': '{"a": "x {"}' }, 'en.json: a: line 1, column 3: expects argument closing brace'],
    [{ 'en.json': '{}', 'de_AT.json': '{}' }, 'de_AT.json: is not named with a BCP 47 language tag'],
    [{ 'en.json': '{"a": "x"}', 'de/1.json': '{"a": "x"}', 'de/2.json': '{"a": "y"}' }, join('de', '2.json: a: is there twice')],
    [{ 'en.json': '[]' }, 'en.json: is a list, not an object of entries'],
    [{ 'de.json': '{}' }, 'default: expected a language with a catalogue, got "en"'],
  ])('a wrong folder is refused with file, key and place: %j', async (files, message) => {
    await expect(catalogFolder(folder(files), { default: 'en' })).rejects.toThrow(message);
  });

  it.each<[unknown, string]>([
    [undefined, 'catalogFolder: expected the default language'],
    [{}, 'catalogFolder: expected the default language'],
    [{ default: 'en', wach: true }, 'wach: unknown option; did you mean watch?'],
    [{ default: 'en', watch: 'yes' }, 'watch: expected true or false'],
    [{ default: 'en', onIssue: 'log' }, 'onIssue: expected a function'],
  ])('a wrong option is refused: %j', async (options, message) => {
    await expect(catalogFolder(folder({ 'en.json': '{}' }), options as never)).rejects.toThrow(message);
  });

  it('a missing folder is an error of the file system', async () => {
    await expect(catalogFolder(join(tmpdir(), 'nowhere', 'at-all'), { default: 'en' })).rejects.toThrow('ENOENT');
  });

  it('a folder is read again when asked', async () => {
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

  it('in development the folder is watched: good changes are used, bad ones are reported', async () => {
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

  it('watching survives saves that replace a file, and folders that come back', async () => {
    const path = folder({ 'en.json': '{"a": "0"}', 'de/x.json': '{"a": "0"}' });
    const otherFolder = folder({});
    const words = await catalogFolder(path, { default: 'en', watch: true });
    const taken = (language: string, text: string): Promise<void> =>
      vi.waitFor(() => expect(words.find(language, 'a')?.text).toBe(text), { timeout: 10_000 });
    const save = async (name: string, language: string, text: string): Promise<void> => {
      put(otherFolder, 'saved', `{"a": "${text}"}`);
      renameSync(join(otherFolder, 'saved'), join(path, name));
      await taken(language, text);
    };
    try {
      for (const text of ['1', '2', '3']) {
        await save('en.json', 'en', text);
        await save('de/x.json', 'de', text);
      }
      put(path, 'en.json', '{"a": "4"}');
      await taken('en', '4');
      rmSync(join(path, 'de'), { recursive: true });
      put(path, 'de/x.json', '{"a": "5"}');
      await taken('de', '5');
      put(path, 'de/x.json', '{"a": "6"}');
      await taken('de', '6');
    } finally {
      words.close();
    }
  }, 60_000);

  it.each(['throws', 'rejects'])('watching goes on after a listener that %s', async (how) => {
    const path = folder({ 'en.json': '{"a": "old"}' });
    const unheard = vi.fn();
    process.on('unhandledRejection', unheard);
    let told = 0;
    const onIssue = (): void => {
      told++;
      const error = new Error('a fault of the listener');
      if (how === 'throws') throw error;
      return Promise.reject(error) as never;
    };
    const words = await catalogFolder(path, { default: 'en', watch: true, onIssue });
    try {
      put(path, 'en.json', '{"a": ');
      await vi.waitFor(() => expect(told).toBeGreaterThan(0), { timeout: 10_000 });
      put(path, 'en.json', '{"a": "new"}');
      await vi.waitFor(() => expect(words.find('en', 'a')?.text).toBe('new'), { timeout: 10_000 });
      expect(unheard).not.toHaveBeenCalled();
    } finally {
      words.close();
      process.off('unhandledRejection', unheard);
    }
  });

  it.skipIf(process.platform === 'win32')('a folder may hold links, and names that begin with a dot are ignored', async () => {
    const real = folder({ 'fr.json': '{"a": "F"}', 'it/one.json': '{"a": "I"}' });
    const path = folder({ 'en.json': '{"a": "E"}', '.cache/x.json': '{}', '.de.json': '{', '..2026_11/de.json': '{"a": "D"}' });
    symlinkSync('..2026_11', join(path, '..data'));
    symlinkSync('..data/de.json', join(path, 'de.json'));
    symlinkSync(join(real, 'fr.json'), join(path, 'fr.json'));
    symlinkSync(join(real, 'it'), join(path, 'it'));
    symlinkSync('nowhere', join(path, 'README'));
    const words = await catalogFolder(path, { default: 'en' });
    expect(words.languages.map((language) => words.find(language, 'a')?.text)).toEqual(['E', 'D', 'F', 'I']);
    symlinkSync('nowhere', join(path, 'pt.json'));
    await expect(words.reload()).rejects.toThrow('ENOENT');
  });
});
