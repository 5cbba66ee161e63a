import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { checkMembers, expectFlag, expectObject, expectText } from '../../wire/check.js';
import type { Command } from '../jar/identity.js';
import { findTarget } from './stdio/launchers.js';

export interface StdioOptions {
  /**
   * Adds what the server's file holds to its name, so that another program later placed at the same path gets none of the state. A new
   * release of the same server starts empty, too.
   */
  readonly fingerprint?: boolean;
  /** Where relative paths start, unless the transport says otherwise; the process's own folder. */
  readonly cwd?: string;
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * STATE-34, STATE-39: who a server behind a command is: the script, the package or the image, never what launches it; files by their absolute real
 * path. `undefined` where that cannot be told, and such a server keeps no state unless the application names it.
 */
export function stdioIdentity(options: StdioOptions = {}): (command: Command) => string | undefined {
  checkMembers(options, { fingerprint: expectFlag, cwd: expectText, platform: expectText, env: expectObject }, 'stdioIdentity');
  const { fingerprint = false, cwd, platform = process.platform, env = process.env } = options;
  const windows = platform === 'win32';

  /** An absolute real path as the platform compares them. */
  function realFile(path: string, start: string): string | undefined {
    try {
      const real = realpathSync(resolve(start, path));
      return statSync(real).isFile() ? (windows ? real.toLowerCase() : real) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Where a command is found, not yet its real path: the interpreter of a virtual environment is a link to one they all share. */
  function found(command: string, start: string, path: string): string | undefined {
    if (isAbsolute(command) || command.includes('/') || (windows && command.includes('\\'))) return resolve(start, command);
    const endings = windows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
    for (const folder of path.split(delimiter))
      for (const ending of endings) {
        const file = join(resolve(start, folder), command + ending);
        if (folder !== '' && existsSync(file)) return file;
      }
    return undefined;
  }

  /** A module is whatever this interpreter finds under its name from this folder. */
  function moduleName(name: string, interpreter: string | undefined, start: string, modules: string): string | undefined {
    if (interpreter === undefined || realFile(interpreter, start) === undefined) return undefined;
    try {
      const places = [realpathSync(start), interpreter].map((place) => (windows ? place.toLowerCase() : place));
      return `python-module:${name} ${JSON.stringify(modules === '' ? places : [...places, modules])}`;
    } catch {
      return undefined;
    }
  }

  return ({ command, args, ...its }) => {
    const start = resolve(cwd ?? process.cwd(), its.cwd ?? '.');
    const target = findTarget(command, args, (path) => realFile(path, start) !== undefined);
    if (target === undefined) return undefined;
    const { kind, name: called, interpreter } = target;
    const where = (program: string): string | undefined => found(program, start, its.path ?? env['PATH'] ?? '');
    const path = kind === 'program' ? where(called) : kind === 'script' ? called : undefined;
    const file = path === undefined ? undefined : realFile(path, start);
    const name =
      kind === 'program' || kind === 'script'
        ? file
        : interpreter === undefined
          ? `${kind}:${called}`
          : moduleName(called, where(interpreter), start, its.pythonPath ?? '');
    if (name === undefined) return undefined;
    if (!fingerprint) return name;
    // Nothing here holds a package or an image to its name; whoever wants certainty runs a file.
    return file && `${name} sha256=${createHash('sha256').update(readFileSync(file)).digest('base64url')}`;
  };
}
