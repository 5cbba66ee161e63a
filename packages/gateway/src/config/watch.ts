/** Tells when a configuration file has another text. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';

/** Milliseconds between two looks at the file. */
const LOOK = 500;
/** Milliseconds for a program to finish what it writes. */
const SETTLE = 100;

export interface FileWatch {
  close(): void;
}

/**
 * `changed` gets the new text. `failed` is told if the file cannot be read any more. The file is looked at again and again: events of the
 * file system do not come from a mounted file, a network folder or the target of a link.
 */
export function watchText(file: string, text: string, changed: (text: string) => void, failed: (problem: string) => void): FileWatch {
  let known = text;
  let timer: NodeJS.Timeout | undefined;
  const read = (): void => {
    timer = undefined;
    try {
      const now = readFileSync(file, 'utf8');
      if (now === known) return;
      known = now;
      changed(now);
    } catch (error) {
      failed((error as Error).message);
    }
  };
  const onChange = (): void => void (timer ??= setTimeout(read, SETTLE).unref());
  watchFile(file, { interval: LOOK, persistent: false }, onChange);
  return {
    close() {
      clearTimeout(timer);
      unwatchFile(file, onChange);
    },
  };
}
