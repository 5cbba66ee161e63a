import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Failure, usage } from '../failure.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';

/** The copy of the example server that ships with the command. */
export const shopServer = (): string => {
  const file = fileURLToPath(new URL('../shop/server.js', import.meta.url));
  if (!existsSync(file)) throw new Failure('fault', 'the example server is not part of this build', 'Build it: npm run build');
  return file;
};

/** The port that an option names; 0 takes a free one. */
export function portOf(run: Run, option: string): number | undefined {
  const text = textOf(run, option);
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw usage(`--${option}: expected a port, 0 to 65535, not "${text}"`);
  return Number(text);
}

/** Serves until it is stopped. Its output is the server's own. */
export async function run(run: Run): Promise<CommandAnswer | undefined> {
  if (run.words.length > 0 || run.serverCommand !== undefined) throw usage('shop takes no words, only options');
  const [port, sdk] = [portOf(run, 'http'), textOf(run, 'sdk')];
  if (sdk !== undefined && sdk !== 'v1' && sdk !== 'v2') throw usage('--sdk: expected v1 or v2');
  const args = [...(port === undefined ? ['--stdio'] : ['--http', String(port)]), ...(sdk === undefined ? [] : ['--sdk', sdk])];
  const child = spawn(process.execPath, [shopServer(), ...args], { stdio: 'inherit' });
  run.cleanup.push(() => void child.kill('SIGTERM'));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0 && !run.signal.aborted) throw new Failure(code === 2 ? 'usage' : 'unreachable', 'the example server ended');
  return undefined;
}
