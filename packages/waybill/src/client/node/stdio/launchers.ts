import { changesWhatRuns } from './variables.js';

/** The one thing that a command runs. */
export interface Target {
  readonly kind: 'file' | 'python-module' | 'npm' | 'pypi' | 'image';
  /** The name as the command has it. */
  readonly name: string;
  /** The arguments after it. */
  readonly rest: readonly string[];
  readonly launcher: Launcher;
}

interface Launcher {
  /** The name a launcher is called by, without folder and ending. */
  readonly called: RegExp;
  /** The name of the file that runs after links are followed, if it differs: a link called `node` may lead to anything. */
  readonly real?: RegExp;
  /** The words that come first: `pnpm dlx`. */
  readonly words?: readonly string[];
  /** Options that take no value and leave the target as it is. */
  readonly options: RegExp;
  /** The option that names a module. */
  readonly module?: string;
  /** Options that set an environment variable, `-e NAME=value`. */
  readonly sets?: RegExp;
  readonly kind: 'file' | 'npm' | 'pypi' | 'image';
  /** Arguments that are files for certain, if not all with a dot or a separator: a bare word may be a command of the launcher's own. */
  readonly files?: RegExp;
  /** Runs a program of this project before a package of the registry. */
  readonly localFirst?: true;
}

const NPM = { options: /^(?:-y|--yes|-q|--quiet|--)$/, kind: 'npm', localFirst: true } as const;
const UVX = { options: /^(?:-q|--quiet|--offline|--no-cache)$/, kind: 'pypi' } as const;
const DOCKER = {
  called: /^docker$/,
  // A volume, an entry point or a working directory turns an image into another program.
  options: /^(?:-i|-t|-it|-ti|--rm|--init|--interactive|--tty|--pull=\w+)$/,
  sets: /^(?:-e|--env)$/,
  kind: 'image',
} as const;

/**
 * The launchers whose options are known well enough to find the one thing they run (STATE-39, D-30). An option that is not listed here may
 * take the next argument as its value, or change what runs, so a command with it has no target.
 */
const LAUNCHERS: readonly Launcher[] = [
  {
    called: /^(?:node|nodejs)$/,
    options:
      /^--(?:enable-source-maps|no-warnings|no-deprecation|trace-warnings|trace-deprecation|trace-uncaught|experimental-strip-types|inspect(?:=.*)?|max-old-space-size=\d+)$/,
    kind: 'file',
  },
  { called: /^(?:python|pypy)[\d.]*$/, options: /^-[uBObqv]+$/, module: '-m', kind: 'file' },
  { called: /^deno$/, words: ['run'], options: /^(?:-A|-q|--quiet|--no-prompt|--no-check|--(?:allow|deny)-[a-z]+(?:=.*)?)$/, kind: 'file' },
  { called: /^uv$/, words: ['run'], options: /^(?:-q|--quiet)$/, kind: 'file', files: /\.py$/ },
  { called: /^npx$/, real: /^npx(?:-cli)?$/, ...NPM },
  { called: /^npm$/, real: /^npm(?:-cli)?$/, words: ['exec'], ...NPM },
  { called: /^npm$/, real: /^npm(?:-cli)?$/, words: ['x'], ...NPM },
  { called: /^bunx$/, real: /^bunx?$/, ...NPM, options: /^$/ },
  { called: /^pnpm$/, words: ['dlx'], options: /^$/, kind: 'npm' },
  { called: /^uvx$/, ...UVX },
  { called: /^uv$/, words: ['tool', 'run'], ...UVX },
  { ...DOCKER, words: ['run'] },
  { ...DOCKER, words: ['container', 'run'] },
];

/** Finds the target of a command. `called` is the path where its program was found, `real` the file that all links lead to. */
export function findTarget(called: string, real: string, args: readonly string[]): Target | undefined {
  const [name, behind] = [programName(called), programName(real)];
  const launcher = LAUNCHERS.find(
    (one) => one.called.test(name) && (one.real ?? one.called).test(behind) && (one.words ?? []).every((word, at) => args[at] === word),
  );
  return launcher && afterOptions(launcher, args.slice(launcher.words?.length ?? 0));
}

function afterOptions(launcher: Launcher, args: readonly string[]): Target | undefined {
  const { kind, module, options, sets } = launcher;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const next = args[at + 1];
    if (arg === module) return next === undefined ? undefined : { kind: 'python-module', name: next, rest: args.slice(at + 2), launcher };
    if (sets?.test(arg) === true) {
      if (next === undefined || changesWhatRuns(next.split('=', 1)[0] as string)) return undefined;
      at++;
    } else if (!arg.startsWith('-')) return { kind, name: arg, rest: args.slice(at + 1), launcher };
    else if (!options.test(arg)) return undefined;
  }
  return undefined;
}

/** `node` of `/usr/bin/node` and `C:\\…\\node.exe`, `npx-cli` of `npx-cli.js`. */
export function programName(path: string): string {
  const base = path.split(/[/\\]/).pop() as string;
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|[cm]?js)$/, '');
}
