import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { usage } from './failure.js';
import { readJsonFile } from './json.js';
import { didYouMean } from './nearest.js';
import { isFlag, nameOf, optionGroups } from './options.js';
import type { Run } from './run.js';

export interface OptionsFile {
  readonly path: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The file with the user's own options: `$WAYBILL_OPTIONS`, or `waybill/options.json` in the folder for configuration. */
function pathOf(env: Run['env']): string | undefined {
  const asked = env['WAYBILL_OPTIONS'];
  if (asked !== undefined && asked !== '') return asked;
  const path = join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'waybill', 'options.json');
  return existsSync(path) ? path : undefined;
}

/** Reads it: `{ "lang": "de-AT", "tz": "Europe/Vienna" }`. A missing file is an error only if the environment names it. */
export async function readOptionsFile(env: Run['env']): Promise<OptionsFile> {
  const path = pathOf(env);
  if (path === undefined) return { path: '', options: {} };
  const value = await readJsonFile(path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usage(`${path}: expected one JSON object`);
  const specs = Object.values(optionGroups)
    .flat()
    .filter(({ typedOnly }) => typedOnly !== true);
  for (const [name, given] of Object.entries(value)) {
    const spec = specs.find((one) => nameOf(one) === name);
    if (spec === undefined) throw usage(`${path}: "${name}" is not an option that a file may give`, didYouMean(name, specs.map(nameOf)));
    const texts = spec.many === true ? [given].flat() : [given];
    if (isFlag(spec)) {
      if (typeof given !== 'boolean') throw usage(`${path}: "${name}": expected true or false`);
    } else if (!texts.every((one) => typeof one === 'string')) throw usage(`${path}: "${name}": expected a text`);
  }
  return { path, options: value as Record<string, unknown> };
}
