/** Keeps a running gateway at the configuration of its file: when the file changes, and at SIGHUP. A wrong file changes nothing. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { ConfigInput } from './config/load.js';
import { watchText, type FileWatch } from './config/watch.js';
import type { Gateway } from './gateway.js';
import type { Log } from './operations/log.js';

export function keepReloading(gateway: Gateway, read: (text: string) => ConfigInput, file: string, log: Log): FileWatch {
  const warn = (message: string): void => log({ level: 'warn', message });
  let last = Promise.resolve();
  const take = (text: string): void => {
    // One after the other: the last text wins.
    last = last
      .then(() => gateway.reload(read(text)))
      .then((settled) => {
        log({ level: 'info', message: `${file}: taken over` });
        if (settled.length > 0) warn(`${file}: ${settled.join(', ')} changed; that counts from the next start on`);
      })
      .catch((error: unknown) => {
        warn(`${file}: not taken over, the configuration before it stays:`);
        for (const line of (error as Error).message.split('\n')) warn(line);
      });
  };
  const failed = (problem: string): void => warn(`${file}: cannot be read, the configuration before it stays: ${problem}`);
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
