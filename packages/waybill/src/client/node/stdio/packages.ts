import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An archive is a file of this machine, not a package of a registry. */
const ARCHIVE = /\.(?:tgz|tar|gz|whl|zip|bz2|xz|py)$/i;

/**
 * The name of an npm package without its version, which changes with every release. A path, an address or an alias (`good@npm:evil`,
 * `good@file:…`, `github:a/b`) is not the package.
 */
export function npmName(spec: string): string | undefined {
  if (ARCHIVE.test(spec)) return undefined;
  return /^((?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*)(?:@(?:[a-z][\w-]*|[~^]?\d[\w.+-]*))?$/i.exec(spec)?.[1];
}

/** The name of a Python package, as PEP 503 compares them. `good@git+https://…` and `good@folder` are not the package. */
export function pypiName(spec: string): string | undefined {
  if (ARCHIVE.test(spec)) return undefined;
  const name = /^([a-z\d](?:[\w.-]*[a-z\d])?)(?:(?:@|==)\d+(?:\.\d+)*|@latest)?$/i.exec(spec)?.[1];
  return name?.toLowerCase().replace(/[-_.]+/g, '-');
}

/** `registry/name:tag@digest`: a digest is part of the name, a tag is not. */
export function imageName(spec: string): string | undefined {
  const [, path, digest = ''] = /^([a-z\d][\w.-]*(?::\d+(?=\/))?(?:\/[a-z\d][\w.-]*)*)(?::[\w.-]+)?(@sha256:[a-f\d]+)?$/.exec(spec) ?? [];
  return path && path + digest;
}

/** Files of a project that change where its launchers find packages. */
const SETTINGS = ['.npmrc', 'bunfig.toml', '.yarnrc.yml', 'pnpm-workspace.yaml'];
/**
 * Looks where `npx NAME` looks before it asks the registry: the project around `start`. `unsure`: this project may decide in another
 * way than by a program of that name.
 */
export function findInProject(
  spec: string,
  name: string,
  start: string,
  home: string | undefined,
): { file: string } | 'nothing' | 'unsure' {
  // `bunx @scope/name` looks for a program `name`.
  const short = name.replace(/.*\//, '');
  for (let folder = start; ; folder = dirname(folder)) {
    const here = (path: string): boolean => existsSync(join(folder, path));
    if (folder !== home && SETTINGS.some(here)) return 'unsure';
    if (here('package.json') && offersPrograms(join(folder, 'package.json'))) return 'unsure';
    const program = `node_modules/.bin/${name}`;
    if (spec === name && here(program)) return { file: join(folder, program) };
    // `npx name@1` runs an installed package of that version.
    if (here(`node_modules/.bin/${short}`) || here(`node_modules/${name}`)) return 'unsure';
    if (dirname(folder) === folder) return 'nothing';
  }
}

/** `npx` prefers programs of the project itself and of its packages to all others. */
function offersPrograms(manifest: string): boolean {
  try {
    return /"(?:bin|directories|workspaces)"|\\u/.test(readFileSync(manifest, 'utf8'));
  } catch {
    return true;
  }
}
