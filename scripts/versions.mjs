#!/usr/bin/env node
// Checks that every package, and every dependency of one package of ours on another, has one version.
//   node scripts/versions.mjs [VERSION]
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

/** Lists everything that is not of this version, as sentences. */
export function wrongVersions(wanted = read('package.json').version) {
  const packages = readdirSync(new URL('packages/', root)).map((name) => read(`packages/${name}/package.json`));
  const ours = new Set(packages.map(({ name }) => name));
  return packages.flatMap(({ name, version, dependencies = {} }) => [
    ...(version === wanted ? [] : [`${name} is ${version}, wanted ${wanted}`]),
    ...Object.entries(dependencies).flatMap(([other, range]) =>
      ours.has(other) && range !== wanted ? [`${name} depends on ${other} ${range}, wanted ${wanted}`] : [],
    ),
  ]);
}

if (import.meta.url === new URL(process.argv[1] ?? '', 'file:').href) {
  const wrong = wrongVersions(process.argv[2]);
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
