import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

describe('the documents', () => {
  it('docs/wire.md agrees with the code (npm run docs)', () => {
    execFileSync(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: root, stdio: 'pipe' });
  });

  it('every relative link in a document leads to a file', () => {
    const folders = ['', 'docs/', 'docs/decisions/', 'bench/', 'bench/notes/', 'packages/waybill/', 'examples/'];
    const files = folders
      .flatMap((folder) => readdirSync(new URL(folder, root)).map((name) => folder + name))
      .filter((file) => file.endsWith('.md'));
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
});
