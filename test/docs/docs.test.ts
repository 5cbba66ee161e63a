import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

/** A document without its code. */
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8').replaceAll(/^```.*?^```/gms, '');

/** The names by which GitHub links to the headings of a document. */
const headingsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  it('show the code as it is (npm run docs)', async () => {
    const { renewed } = (await import(new URL('scripts/docs.mjs', root).href)) as {
      renewed: () => Promise<{ path: string; old: string; text: string; problems: string[] }[]>;
    };
    const found = await renewed();
    expect(found.filter(({ old, text }) => old !== text).map(({ path }) => path)).toEqual([]);
    expect(found.flatMap(({ path, problems }) => problems.map((problem) => `${path}: ${problem}`))).toEqual([]);
  });

  it('the README installs the versions that were tested', () => {
    const [, packages = ''] = /^npm i (waybill@.*?) +#/m.exec(readFileSync(new URL('README.md', root), 'utf8')) ?? [];
    const installed = packages.split(' ').map((named) => {
      const [, name = '', version = ''] = /^(.+)@(.+)$/.exec(named) ?? [];
      const found = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, root), 'utf8')) as { version: string };
      return `${name}@${found.version.split('.').slice(0, version.split('.').length).join('.')}`;
    });
    expect(installed.length).toBe(5);
    expect(installed.join(' ')).toBe(packages);
  });

  it('every relative link in a document leads to a file', () => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', 'llms.txt'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((file) => file !== '' && existsSync(new URL(file, root)));
    expect(files.length).toBeGreaterThan(30);
    const broken: string[] = [];
    for (const file of files) {
      for (const [, link] of readFileSync(new URL(file, root), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
        try {
          readFileSync(new URL(link as string, new URL(file, root)));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EISDIR') broken.push(`${file}: ${link as string}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it('every link to a place in a document leads to one of its headings', () => {
    const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).split('\n');
    const broken: string[] = [];
    for (const file of files.filter((name) => name !== '' && existsSync(new URL(name, root))))
      for (const [, link = '', place = ''] of textOf(file).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)) {
        const target = link === '' ? file : new URL(link, new URL(file, root)).href.slice(root.href.length);
        if (!headingsOf(target).includes(place)) broken.push(`${file}: ${link}#${place}`);
      }
    expect(broken).toEqual([]);
  });

  it('every path that ARCHITECTURE.md names exists', () => {
    const missing = pathsIn(readFileSync(new URL('ARCHITECTURE.md', root), 'utf8')).filter((places) => !places.some(exists));
    expect(missing.map(([named]) => named)).toEqual([]);
  });

  it('every function that ARCHITECTURE.md names stands in the file beside it', () => {
    const named = functionsIn(readFileSync(new URL('ARCHITECTURE.md', root), 'utf8'));
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter(({ places, name }) => !places.some((place) => exists(place) && declares(place, name)))).toEqual([]);
    expect(declares('packages/waybill/src/server/head.ts', 'finishBody')).toBe(false);
  });

  it('a path that does not exist is found', () => {
    expect(pathsIn('see `wire/read.ts`, `nowhere.ts`').map((places) => places.some(exists))).toEqual([true, false]);
  });
});

/** For each path in a document: the places that it may stand for. A short name continues one of the folders that its line names before. */
function pathsIn(text: string): string[][] {
  return text.split('\n').flatMap((line) => {
    const names = [...line.matchAll(/`([\w.<>/-]+(?:\.(?:tsx?|mjs|md|json)|\/))`/g)].map(([, name]) =>
      (name as string).replace('<concern>', 'language'),
    );
    const folders = ['', ...names.map((name) => name.replace(/[^/]*$/, ''))];
    return names.map((name) => folders.flatMap((folder) => [folder + name, `packages/waybill/src/${folder}${name}`]));
  });
}

/** The functions that a document names behind a file: `server/head.ts`: `finishHead`. */
function functionsIn(text: string): { places: string[]; name: string }[] {
  return [...text.matchAll(/`([\w./-]+\.ts)`: `(\w+)`/g)].map(([, path = '', name = '']) => ({
    places: [path, `packages/waybill/src/${path}`],
    name,
  }));
}

function declares(path: string, name: string): boolean {
  return new RegExp(`\\b(?:function|const|get) ${name}\\b|^  ${name}\\(`, 'm').test(readFileSync(new URL(path, root), 'utf8'));
}

function exists(path: string): boolean {
  return existsSync(new URL(path, root));
}
