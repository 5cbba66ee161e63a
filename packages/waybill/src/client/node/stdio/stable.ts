import { basename, resolve } from 'node:path';
import type { StdioPackage } from '../../stdioNames.js';
import { findTarget, programName, type Target } from './launchers.js';
import { findInProject, imageName, npmName, pypiName } from './packages.js';
import { findProgram, pathFrom, realFile, type StartPlace } from './programs.js';

/** The name of a server, and its file if it is one. */
interface Stable {
  readonly name: string;
  readonly file?: string;
}

/** STATE-34, STATE-39, D-30: the name of the one file, package, module or image that a known launcher runs. `undefined` if in doubt. */
export function stableName(program: string, args: readonly string[], place: StartPlace): Stable | undefined {
  const found = targetOf(program, args, place);
  return found && nameOf(found.target, found.program, place);
}

/** Finds the package, module or image that a command names, whatever stands behind it: the arguments are for that program. */
export function packageNamed(program: string, args: readonly string[], place: StartPlace): StdioPackage | undefined {
  const found = targetOf(program, args, place);
  if (found === undefined || found.target.kind === 'file') return undefined;
  const target = { ...found.target, rest: [] };
  const claimed = claimedName(target);
  return claimed === undefined ? undefined : { name: claimed, isCertain: nameOf(target, found.program, place)?.name === claimed };
}

function claimedName({ kind, name }: Target): string | undefined {
  const known = NAMES[kind]?.(name);
  return known && `${kind}:${known}`;
}

const NAMES: Readonly<Partial<Record<Target['kind'], (name: string) => string | undefined>>> = {
  'python-module': (name) => (MODULE.test(name) ? name : undefined),
  npm: npmName,
  pypi: pypiName,
  image: imageName,
};

function nameOf(target: Target, program: string, place: StartPlace): Stable | undefined {
  if (target.kind === 'file') return scriptName(target, place);
  if (target.kind === 'npm') return packageName(target, place);
  if (mayRunAnother(target)) return undefined;
  if (target.kind === 'python-module') return moduleName(target, program, place);
  const name = claimedName(target);
  return name === undefined ? undefined : { name };
}

interface Found {
  readonly program: string;
  readonly target: Target;
}

function targetOf(program: string, args: readonly string[], place: StartPlace): Found | undefined {
  if (place.windows && programName(program) === 'cmd') return behindCmd(args, place);
  const real = realFile(program);
  const target = real === undefined ? undefined : findTarget(program, real, args);
  return target && { program, target };
}

/** Characters that `cmd` reads itself. */
const SHELL_SYNTAX = /[&|<>^%!"'`()=;,\s]/;

/** `cmd /c npx …` runs what `npx …` runs. */
function behindCmd(args: readonly string[], place: StartPlace): Found | undefined {
  const [slash, command = '', ...rest] = args;
  if (slash?.toLowerCase() !== '/c' || args.some((arg) => SHELL_SYNTAX.test(arg))) return undefined;
  const program = findProgram(command, place);
  return program === undefined || programName(program) === 'cmd' ? undefined : targetOf(program, rest, place);
}

/** A package, module or image with arguments may be a launcher itself: `npx tsx a.ts`, `uvx fastmcp run a.py`, `npx mcp-remote https://…`. */
function mayRunAnother({ rest }: Target): boolean {
  return rest.length > 0;
}

function scriptName(target: Target, place: StartPlace): Stable | undefined {
  const { files = /[./\\]/ } = target.launcher;
  // `https://…` is an address, even if there is a folder `https:`.
  if (!files.test(target.name) || /^[a-z][a-z\d+.-]+:/i.test(target.name)) return undefined;
  const path = pathFrom(place.start, target.name);
  // Some launchers shorten `link/../a.js` to `a.js`, others follow the link.
  return realFile(path) === realFile(resolve(path)) ? fileName(target, path, place) : undefined;
}

/** Folders of installed programs. One that has arguments may be a launcher: `node node_modules/tsx/dist/cli.mjs a.ts`. */
const INSTALLED = /[/\\](?:\.[^/\\]+|node_modules|site-packages|dist-packages|s?bin|scripts)[/\\]|^\/usr\//i;

function fileName(target: Target, path: string, { windows }: StartPlace): Stable | undefined {
  const file = realFile(path);
  if (file === undefined || (mayRunAnother(target) && (INSTALLED.test(file) || INSTALLED.test(path)))) return undefined;
  const asCompared = (text: string): string => (windows ? text.toLowerCase() : text);
  const [called, own] = [asCompared(basename(path)), asCompared(basename(file))];
  // A file may be another program under each of its links. No real path has two separators in a row.
  return { name: asCompared(file) + (called === own ? '' : `//${called}`), file };
}

function packageName(target: Target, place: StartPlace): Stable | undefined {
  const { localFirst = false } = target.launcher;
  const name = npmName(target.name);
  if (name === undefined) return undefined;
  const found = findInProject(target.name, name, place.start, place.own['HOME'] ?? place.own['USERPROFILE']);
  if (found === 'unsure') return undefined;
  if (found !== 'nothing') return localFirst ? fileName(target, found.file, place) : undefined;
  // The launcher may prefer a program of that name that is installed for all projects, from any package.
  const installed = localFirst && findProgram(name.replace(/.*\//, ''), place) !== undefined;
  return installed || mayRunAnother(target) ? undefined : { name: `npm:${name}` };
}

const MODULE = /^[\w.]+$/;

/** A module is what one interpreter finds under its name from one folder. */
function moduleName({ name }: Target, interpreter: string, { start, windows }: StartPlace): Stable | undefined {
  const places = JSON.stringify([start, interpreter]);
  return MODULE.test(name) ? { name: `python-module:${name} ${windows ? places.toLowerCase() : places}` } : undefined;
}
