/** For scripts that run other programs: with a limit, as a server, and installed into a folder of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

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

/** Starts a server that prints its URL as its first line, and ends it after `use(url, complaints)`. `complaints()` is its stderr so far. */
export async function withServer(args, use) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += chunk));
  try {
    const [url] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${args[0]} ended with code ${code}\n${complaints}`))),
    ]);
    return await use(url, () => complaints);
  } finally {
    child.kill();
  }
}

/** The names that an option chose, in their own order; all of them without it. A name that is not there ends the program. */
export function chosen(option, names, wanted = names) {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return names.filter((name) => wanted.includes(name));
  console.error(`${option}: there is no ${unknown.join(', ')}; expected ${names.join(', ')}`);
  return process.exit(2);
}
