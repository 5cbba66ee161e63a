import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkMembers, expectFlag, expectObject, expectText } from '../../wire/check.js';
import type { StdioCommand } from '../../transport/index.js';
import type { StdioNames, StdioPackage } from '../stdioNames.js';
import { selectsWhatRuns } from './stdio/variables.js';
import { findProgram, pathFrom, realFile, realFolder, searchPath, type StartPlace } from './stdio/programs.js';
import { packageNamed, stableName } from './stdio/stable.js';

export interface StdioIdentityOptions {
  /**
   * Adds a hash of the server's file to its name, so that another program placed at the same path later gets none of the state. A new
   * release of the same server starts empty too. A server that is not one file keeps no state.
   */
  readonly fingerprint?: boolean;
  /** The folder where relative paths start, unless the transport says otherwise. Default: the folder of the process. */
  readonly cwd?: string;
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Names the server behind a command. For a known launcher with one target the name is the file, package, module or image that it runs. For
 * every other command it is a digest of everything that selects what runs, so two different commands never share a name.
 */
export function stdioIdentity(options: StdioIdentityOptions = {}): StdioNames & Required<Pick<StdioNames, 'packageOf'>> {
  checkMembers(options, { fingerprint: expectFlag, cwd: expectText, platform: expectText, env: expectObject }, 'stdioIdentity');
  const { fingerprint = false, cwd = '', platform = process.platform, env: own = process.env } = options;
  const windows = platform === 'win32';

  function placeOf({ env = {}, cwd: folder = '' }: StdioCommand): StartPlace {
    const start = realFolder(pathFrom(pathFrom(process.cwd(), cwd), folder));
    return { start, path: searchPath(env, own, windows), own, windows };
  }

  function nameOf(given: StdioCommand): string | undefined {
    const { command, args, env = {} } = given;
    const place = placeOf(given);
    const program = findProgram(command, place);
    const stable = program === undefined || selectsWhatRuns(env, own) ? undefined : stableName(program, args, place);
    if (fingerprint) return stable?.file && `${stable.name} sha256=${digest(readFileSync(stable.file))}`;
    // D-30: everything that selects what runs.
    const variables = Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
    const real = program && realFile(program);
    return stable?.name ?? `command:${digest(JSON.stringify([command, program, real, place.start, place.path, args, variables]))}`;
  }

  function packageOf(given: StdioCommand): StdioPackage | undefined {
    const { command, args, env = {} } = given;
    const place = placeOf(given);
    const program = findProgram(command, place);
    const found = program === undefined ? undefined : packageNamed(program, args, place);
    return found && { ...found, isCertain: found.isCertain && !selectsWhatRuns(env, own) };
  }

  return Object.assign(nameOf, { packageOf });
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}
