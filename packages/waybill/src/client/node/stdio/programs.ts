import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import type { Variables } from './variables.js';

/** The place a command is started from. */
export interface StartPlace {
  /** A real path, if there is such a folder. */
  readonly start: string;
  /** The search path the command is looked up in. */
  readonly path: string;
  /** The environment of this process. */
  readonly own: Variables;
  readonly windows: boolean;
}

/** The search path of a child: the one given to its transport, or ours. */
export function searchPath(given: Variables, own: Variables, windows: boolean): string {
  const name = windows ? Object.keys(given).find((one) => one.toUpperCase() === 'PATH') : 'PATH';
  return given[name ?? 'PATH'] ?? own['PATH'] ?? '';
}

/** The path a command is found at. Links are not followed: the interpreter of a virtual environment is a link to one they all share. */
export function findProgram(command: string, { start, path, own, windows }: StartPlace): string | undefined {
  const direct = isAbsolute(command) || command.includes('/') || (windows && command.includes('\\'));
  // Windows looks into the working folder first; elsewhere an empty part of PATH stands for it.
  const folders = direct ? [''] : windows ? ['', ...path.split(delimiter)] : path.split(delimiter);
  const endings = windows ? ['', ...(own['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  return folders
    .flatMap((folder) => endings.map((ending) => pathFrom(pathFrom(start, folder), command + ending)))
    .find((file) => realFile(file) !== undefined && isExecutable(file));
}

/** Joins as the system does when it opens a path: `link/..` is the folder above the one that the link leads to. */
export function pathFrom(start: string, path: string): string {
  return isAbsolute(path) ? path : path === '' ? start : `${start}/${path}`;
}

/** The real path of a folder, or the path itself if there is none. */
export function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The absolute real path of a file, with all links followed. */
export function realFile(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
