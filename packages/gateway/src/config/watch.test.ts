import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchText } from './watch.js';

/** Makes a folder, watches the file in it that `begin` names, and resolves with the text after `change`. */
async function textAfter(begin: (folder: string) => string, change: (folder: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-watch-'));
  const file = join(folder, begin(folder));
  const text = await new Promise<string>((resolve, reject) => {
    const watching = watchText(
      file,
      'old',
      (now) => {
        watching.close();
        resolve(now);
      },
      (problem) => reject(new Error(problem)),
    );
    change(folder);
  });
  rmSync(folder, { recursive: true });
  return text;
}

test.each<[string, (folder: string) => string, (folder: string) => void]>([
  [
    'a file that is written again',
    (folder) => {
      writeFileSync(join(folder, 'g.yaml'), 'old');
      return 'g.yaml';
    },
    (folder) => writeFileSync(join(folder, 'g.yaml'), 'new'),
  ],
  [
    'a file that another one replaces, as editors do it',
    (folder) => {
      writeFileSync(join(folder, 'g.yaml'), 'old');
      return 'g.yaml';
    },
    (folder) => {
      writeFileSync(join(folder, 'g.yaml~'), 'new');
      renameSync(join(folder, 'g.yaml~'), join(folder, 'g.yaml'));
    },
  ],
  [
    'a link to a file of another folder',
    (folder) => {
      for (const name of ['real', 'etc']) mkdirSync(join(folder, name));
      writeFileSync(join(folder, 'real/g.yaml'), 'old');
      symlinkSync('../real/g.yaml', join(folder, 'etc/g.yaml'));
      return 'etc/g.yaml';
    },
    (folder) => writeFileSync(join(folder, 'real/g.yaml'), 'new'),
  ],
  [
    'a ConfigMap, whose folder is exchanged as a whole',
    (folder) => {
      mkdirSync(join(folder, '..1'));
      writeFileSync(join(folder, '..1/g.yaml'), 'old');
      symlinkSync('..1', join(folder, '..data'));
      symlinkSync('..data/g.yaml', join(folder, 'g.yaml'));
      return 'g.yaml';
    },
    (folder) => {
      mkdirSync(join(folder, '..2'));
      writeFileSync(join(folder, '..2/g.yaml'), 'new');
      symlinkSync('..2', join(folder, '..next'));
      renameSync(join(folder, '..next'), join(folder, '..data'));
    },
  ],
])('%s is seen', async (_, begin, change) => {
  expect(await textAfter(begin, change)).toBe('new');
});
