/** For scripts that try other versions: running a program with a limit, and installing packages into a folder of their own. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A program that hangs becomes a failure. */
const LIMIT = 20 * 60_000;

/** Resolves to the exit code and the output, also where the program could not be started. */
export function execute(command, args, { cwd, env = {}, limit: most = LIMIT }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own: the limit has to reach the workers too
    });
    const stop = () => process.kill(-child.pid, 'SIGKILL');
    const leave = () => {
      stop();
      process.exit(130);
    };
    process.once('SIGINT', leave).once('SIGTERM', leave);
    let [stdout, output] = ['', ''];
    const limit = setTimeout(() => {
      output += `\nstopped: it took longer than ${most / 60_000} minutes\n`;
      stop();
    }, most);
    child.stdout.on('data', (chunk) => ((stdout += chunk), (output += chunk)));
    child.stderr.on('data', (chunk) => (output += chunk));
    const end = (code) => {
      clearTimeout(limit);
      process.off('SIGINT', leave).off('SIGTERM', leave);
      resolve({ code, stdout, output });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.on('close', end);
  });
}

/** Installs into the folder unless exactly these packages are there. */
export async function install(folder, packages) {
  const note = join(folder, 'installed.txt');
  if ((await readFile(note, 'utf8').catch(() => '')) === packages.join('\n')) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--loglevel=error', ...packages];
  const { code, output } = await execute('npm', args, { cwd: folder });
  if (code !== 0) throw new Error(`npm ${args.join(' ')}\n${output}`);
  await writeFile(note, packages.join('\n'));
}
