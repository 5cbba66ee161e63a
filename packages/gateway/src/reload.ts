/** Keeps a running gateway at the configuration of its file: when the file changes, and at SIGHUP. A wrong file changes nothing. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { ConfigInput } from './config/load.js';
import { watchText, type FileWatch } from './config/watch.js';
import type { Gateway } from './gateway.js';

export function keepReloading(
  gateway: Gateway,
  read: (text: string) => ConfigInput,
  file: string,
  tell: (line: string) => void,
): FileWatch {
  let last = Promise.resolve();
  const take = (text: string): void => {
    // One after the other: the last text wins.
    last = last
      .then(() => gateway.reload(read(text)))
      .then((settled) => {
        tell(`${file}: taken over`);
        if (settled.length > 0) tell(`${file}: ${settled.join(', ')} changed; that counts from the next start on`);
      })
      .catch((error: unknown) => {
        tell(`${file}: not taken over, the configuration before it stays:`);
        for (const line of (error as Error).message.split('\n')) tell(line);
      });
  };
  const failed = (problem: string): void => tell(`${file}: cannot be read, the configuration before it stays: ${problem}`);
  const onHangup = (): void => {
    try {
      take(readFileSync(file, 'utf8'));
    } catch (error) {
      failed((error as Error).message);
    }
  };
  const watching = watchText(file, readFileSync(file, 'utf8'), take, failed);
  process.on('SIGHUP', onHangup);
  return {
    close() {
      process.off('SIGHUP', onHangup);
      watching.close();
    },
  };
}
