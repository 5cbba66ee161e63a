import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const SHOP: string = fileURLToPath(new URL('../../examples/shop/server.js', import.meta.url));

/** The shop server in its own process. */
export class Served {
  readonly url: URL;
  readonly child: ChildProcess;

  constructor(url: URL, child: ChildProcess) {
    this.url = url;
    this.child = child;
  }

  /** Kills it at once, without a chance to clean up. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const over = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await over;
  }
}

export async function serveShop(...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [SHOP, '--http', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (data: Buffer) => {
      printed += String(data);
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')));
    });
    child.once('exit', (code) => {
      reject(new Error(`the shop server ended with ${code}`));
    });
  });
  return new Served(new URL(line), child);
}
