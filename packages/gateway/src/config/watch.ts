/** Tells when a configuration file has another text. The folder is watched: editors and Kubernetes put a new file in the place of the old one. */
import { readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Milliseconds for a program to finish what it writes. */
const SETTLE = 100;

export interface FileWatch {
  close(): void;
}

/** `changed` gets the new text. `failed` is told if the file cannot be read or watched any more. */
export function watchText(file: string, text: string, changed: (text: string) => void, failed: (problem: string) => void): FileWatch {
  let known = text;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
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
  const watcher = watch(dirname(file), { persistent: false }, () => (timer ??= setTimeout(look, SETTLE).unref()));
  watcher.on('error', (error) => failed(error.message));
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
