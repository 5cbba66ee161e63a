import { isPythonRunner, isRunner, isRunnerImage, isRunnerScript } from './runners.js';

/**
 * What a command really starts (STATE-39). Launchers take options of their own before they name a program, and some of those take a value;
 * where an option is not known, it cannot be told what follows, and the answer is: nobody knows.
 */
export interface Target {
  /** A file that is run by an interpreter, a program of its own, or a name in a registry. */
  readonly kind: 'script' | 'program' | 'npm' | 'pypi' | 'python-module' | 'image' | 'jsr';
  readonly name: string;
  /** A module means what one interpreter finds under its name: the command that starts it. */
  readonly interpreter?: string;
}

interface Launcher {
  /** Words that come between the command and its options: `pnpm dlx`, `docker run`. */
  readonly words?: readonly (readonly string[])[];
  readonly flags?: RegExp;
  /** Options that take the next argument as their value. */
  readonly valued?: RegExp;
  /** Options whose value is the target: `-m module`, `--from package`. */
  readonly names?: Readonly<Record<string, Target['kind']>>;
  readonly target: (name: string) => Target | undefined;
}

const script = (name: string): Target => ({ kind: 'script', name });
/** Without a version, which changes with every release: `@scope/name@1.2.3`. A path or an address is no name. */
const npm = (name: string): Target | undefined => {
  const found = /^((?:@[\w.~-]+\/)?[\w.~-]+)(?:@[^/]*)?$/.exec(name);
  return found?.[1] === undefined || /^\.+$/.test(found[1]) ? undefined : { kind: 'npm', name: found[1].toLowerCase() };
};
/** PEP 503: names are compared without case, and with one kind of separator. */
const pypi = (name: string): Target | undefined => {
  const found = /^([A-Za-z\d][\w.-]*)(?:\[[^\]]*\])?(?:[@=<>~!].*)?$/.exec(name);
  return found?.[1] === undefined ? undefined : { kind: 'pypi', name: found[1].toLowerCase().replace(/[-_.]+/g, '-') };
};
/** `registry/name:tag@digest`: the digest is part of it where there is one, the tag is not. */
const image = (name: string): Target | undefined => {
  const [path = '', digest] = name.split('@', 2);
  const untagged = path.replace(/:[\w.-]+$/, '');
  return /^[\w./:-]+$/.test(untagged) ? { kind: 'image', name: digest ? `${untagged}@${digest}` : untagged } : undefined;
};

const NODE: Launcher = {
  flags:
    // One by one: others of these names take the next argument as their value.
    /^--(?:enable-source-maps|trace-(?:deprecation|exit|promises|sigint|sync-io|tls|uncaught|warnings)|experimental-(?:detect-module|eventsource|fetch|global-customevent|global-webcrypto|import-meta-resolve|json-modules|modules|network-imports|permission|repl-await|require-module|sqlite|strip-types|transform-types|vm-modules|wasm-modules|websocket)|no-[\w-]+|inspect(?:=.*)?|max-old-space-size=.*|env-file=.*|import=.*|require=.*|loader=.*|watch)$/,
  valued: /^(?:--import|--require|-r|--loader|--env-file|--conditions|-C)$/,
  target: script,
};
const PYTHON: Launcher = { flags: /^-(?:[uBEIOsSbdiqv]+|OO)$/, valued: /^-[XW]$/, names: { '-m': 'python-module' }, target: script };
const NPX: Launcher = {
  flags: /^(?:-y|--yes|-q|--quiet|--no|--prefer-offline|--prefer-online|--offline|--bun|--no-install|--silent|--package=.*)$/,
  names: { '-p': 'npm', '--package': 'npm' },
  target: npm,
};
const UVX: Launcher = {
  flags: /^(?:-q|--quiet|--isolated|--refresh|--no-cache|--offline|--native-tls|--python=.*|--with=.*|--index-url=.*)$/,
  valued: /^(?:--python|-p|--with|--index-url|--index|--default-index)$/,
  names: { '--from': 'pypi' },
  target: pypi,
};
const DENO: Launcher = {
  words: [['run']],
  flags:
    /^(?:-A|-q|--quiet|--no-check|--no-lock|--cached-only|--no-prompt|--allow-[\w-]+(?:=.*)?|--deny-[\w-]+(?:=.*)?|--unstable[\w-]*|--node-modules-dir.*|--reload.*)$/,
  target: (name) => {
    if (name.startsWith('npm:')) return npm(name.slice(4));
    const jsr = name.startsWith('jsr:') ? npm(name.slice(4)) : undefined;
    if (jsr !== undefined) return { ...jsr, kind: 'jsr' };
    return /^[a-z][a-z\d+.-]+:/i.test(name) ? undefined : script(name);
  },
};
/** An entry point of its own is another program than the image's: `--entrypoint` is not among these. */
const DOCKER: Launcher = {
  words: [['run'], ['container', 'run']],
  flags: /^(?:-[itd]+|--rm|--init|--interactive|--tty|--read-only|--privileged|--(?!entrypoint=)[\w-]+=.*|-[evpuwlhm].+)$/,
  valued:
    /^(?:-[evpuwlhm]|--(?:env|env-file|volume|mount|publish|user|workdir|network|net|name|label|hostname|memory|cpus|platform|pull|add-host|cap-add|cap-drop|security-opt|tmpfs|ulimit|gpus|device|dns|runtime))$/,
  target: image,
};
const RUN: Launcher = { flags: /^--(?:quiet|silent)$/, target: script };

const LAUNCHERS: Readonly<Record<string, readonly Launcher[]>> = {
  node: [NODE],
  nodejs: [NODE],
  tsx: [NODE],
  'ts-node': [RUN],
  bun: [
    { words: [['x']], ...NPX },
    { words: [['run']], ...RUN },
    { ...RUN, target: (name) => (/[./\\]/.test(name) ? script(name) : undefined) },
  ],
  deno: [DENO],
  python: [PYTHON],
  pypy: [PYTHON],
  npx: [NPX],
  bunx: [NPX],
  pnpx: [NPX],
  npm: [{ words: [['exec'], ['x']], ...NPX, flags: /^(?:--|-y|--yes|-q|--quiet|--silent|--package=.*)$/ }],
  pnpm: [{ words: [['dlx']], ...NPX }],
  yarn: [{ words: [['dlx']], ...NPX }],
  uvx: [UVX],
  uv: [
    { words: [['tool', 'run']], ...UVX },
    {
      words: [['run']],
      flags: /^(?:-q|--quiet|--frozen|--no-sync)$/,
      // Not --directory, which moves where the script is looked for.
      valued: /^(?:--python|-p|--with|--project)$/,
      target: (name) => (name.endsWith('.py') ? script(name) : undefined),
    },
  ],
  pipx: [{ words: [['run']], flags: /^(?:-q|--quiet|--no-cache)$/, valued: /^--python$/, names: { '--spec': 'pypi' }, target: pypi }],
  docker: [DOCKER],
  podman: [DOCKER],
  nerdctl: [DOCKER],
};

/** What runs whatever it is told, in ways that are not looked through here: never a server's own name. */
const OPAQUE = new Set(
  (
    'sh bash zsh fish dash ksh csh tcsh powershell pwsh env sudo doas su nohup nice timeout xargs ssh wsl time exec eval setsid ' +
    'perl ruby php lua luajit rscript julia java scala kotlin groovy dotnet mono go cargo swift elixir mix erl ghc runghc stack cabal ocaml dart flutter ' +
    'make just task gradle mvn rake bundle gem poetry pdm hatch conda mamba micromamba nix nix-shell direnv mise asdf volta fnm nvm rbenv pyenv ' +
    'tclsh wish osascript cscript wscript msbuild qjs gjs v8 d8 r racket guile sbcl clojure clj lein bb janet wasmtime wasmer'
  ).split(' '),
);

/** Words and options that say: what follows is a program for me to run. */
const TELLS = /^(?:run|exec|x|dlx|start|-c|-e|-m|-jar|--eval|--command|--)$/;

export function findTarget(command: string, args: readonly string[], isFile: (path: string) => boolean): Target | undefined {
  const program = programName(command);
  if (program === 'cmd') {
    // cmd /c npx …: the same one step further.
    const [slash, next, ...rest] = args;
    return slash?.toLowerCase() === '/c' && next !== undefined ? findTarget(next, rest, isFile) : undefined;
  }
  const launchers = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS[program] : undefined;
  if (launchers !== undefined) return launched(launchers, command, args);
  if (OPAQUE.has(program) || isRunner(program)) return undefined;
  // A program we do not know that is told what to run, or given a file first, may well be a launcher.
  const first = args.find((arg) => !arg.startsWith('-'));
  if (args.some((arg) => TELLS.test(arg)) || (first !== undefined && isFile(first))) return undefined;
  return { kind: 'program', name: command };
}

/** `/usr/bin/python3.12`, `C:\\…\\node.exe`: the name by which a program is known. */
function programName(command: string): string {
  const base = command.split(/[/\\]/).pop() ?? '';
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
  return /^(?:python|pypy)[\d.]*$/.test(name) ? name.replace(/[\d.]+$/, '') : name;
}

function launched(launchers: readonly Launcher[], command: string, args: readonly string[]): Target | undefined {
  for (const launcher of launchers) {
    const words = launcher.words === undefined ? [] : launcher.words.find((all) => all.every((word, at) => args[at] === word));
    if (words === undefined) continue;
    const { target, rest = [] } = afterOptions(launcher, args.slice(words.length)) ?? {};
    if (target === undefined || runsAnother(target, rest)) return undefined;
    return target.kind === 'python-module' ? { ...target, interpreter: command } : target;
  }
  return undefined;
}

interface Found {
  readonly target: Target | undefined;
  /** What it is told in its turn. */
  readonly rest: readonly string[];
}

function afterOptions({ flags, valued, names = {}, target }: Launcher, args: readonly string[]): Found | undefined {
  let named: Target | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const inline = /^--package=(.+)$/.exec(arg)?.[1];
    if (Object.hasOwn(names, arg) || (inline !== undefined && flags?.test(arg))) {
      const value = inline ?? args[++at];
      // Of two packages it cannot be told which one the program is from.
      if (value === undefined || named !== undefined) return undefined;
      const kind = names[arg] ?? 'npm';
      // `-m module` ends the options; a package that is named beforehand may offer several programs.
      if (kind === 'python-module') return { target: { kind, name: value }, rest: args.slice(at + 1) };
      named = kind === 'npm' ? npm(value) : pypi(value);
      if (named === undefined) return undefined;
    } else if (valued?.test(arg)) at++;
    else if (arg.startsWith('-')) {
      if (!flags?.test(arg)) return undefined;
    } else if (named === undefined) return { target: target(arg), rest: args.slice(at + 1) };
    else if (isRunnerTarget(named) || isLauncher(arg)) return undefined;
    else return { target: { ...named, name: `${named.name} ${arg}` }, rest: args.slice(at + 1) };
  }
  return undefined;
}

/** STATE-39: one launcher started by another. What it runs in its turn is not looked for. */
function runsAnother(target: Target, rest: readonly string[]): boolean {
  if (isRunnerTarget(target)) return true;
  if (target.kind === 'script') return false;
  const [first] = rest;
  return first !== undefined && (/^(?:run|exec|dlx)$/.test(first) || isLauncher(first));
}

function isRunnerTarget({ kind, name }: Target): boolean {
  if (kind === 'image') return isRunnerImage(name);
  if (kind === 'script') return isRunnerScript(name);
  if (kind === 'pypi') return isPythonRunner(name);
  if (kind === 'python-module') return isPythonRunner((name.split('.', 1)[0] as string).toLowerCase().replaceAll('_', '-'));
  return isRunner(name);
}

function isLauncher(word: string): boolean {
  const program = programName(word);
  return Object.hasOwn(LAUNCHERS, program) || OPAQUE.has(program) || isPythonRunner(program);
}
