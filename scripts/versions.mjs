#!/usr/bin/env node
// Checks that every package, and every dependency of one package of ours on another, has one version.
//   node scripts/versions.mjs [VERSION]     VERSION: that of the package "waybill" unless given
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../packages/', import.meta.url);
const manifestOf = (folder) => JSON.parse(readFileSync(new URL(`${folder}/package.json`, root), 'utf8'));

/** Lists everything that is not of this version, as sentences. */
export function wrongVersions(wanted = manifestOf('waybill').version) {
  const packages = readdirSync(root).map(manifestOf);
  const ours = new Set(packages.map(({ name }) => name));
  return packages.flatMap(({ name, version, dependencies, devDependencies }) => [
    ...(version === wanted ? [] : [`${name} is ${version}, wanted ${wanted}`]),
    ...Object.entries({ ...dependencies, ...devDependencies }).flatMap(([other, range]) =>
      ours.has(other) && range !== wanted ? [`${name} depends on ${other} ${range}, wanted ${wanted}`] : [],
    ),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = wrongVersions(process.argv[2]);
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
