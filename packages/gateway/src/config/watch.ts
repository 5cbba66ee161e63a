/** Tells when a configuration file has another text. */
import { readFile } from 'node:fs/promises';

/** Milliseconds between two looks at the file. */
const PAUSE = 500;

export interface FileWatch {
  close(): void;
}

/**
 * `changed` gets the new text, `failed` why the file cannot be read. The file is read again and again: the file system tells nothing about a
 * mounted file, a network folder or the target of a link. Two looks must find the same, because a program may still be writing.
 */
export function watchText(file: string, text: string, changed: (text: string) => void, failed: (problem: string) => void): FileWatch {
  let known = text;
  let told = '';
  let last: unknown;
  let isClosed = false;

  async function look(): Promise<void> {
    const [now, problem] = await readFile(file, 'utf8').then(
      (found) => [found, ''] as const,
      (error: unknown) => [known, (error as Error).message] as const,
    );
    const isSettled = last === now + problem;
    last = now + problem;
    if (isClosed) return;
    if (isSettled && problem !== told) {
      told = problem;
      if (problem !== '') failed(problem);
    }
    if (isSettled && now !== known) changed((known = now));
    timer = setTimeout(() => void look(), PAUSE).unref();
  }
  let timer = setTimeout(() => void look(), PAUSE).unref();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
