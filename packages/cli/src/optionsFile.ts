import { homedir } from 'node:os';
import { join } from 'node:path';
import { usage } from './failure.js';
import { readJsonFile } from './json.js';
import { didYouMean } from './nearest.js';
import { nameOf, optionGroups } from './options.js';

export interface OptionsFile {
  readonly path: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The file with the user's own options: `$WAYBILL_OPTIONS`, or `waybill/options.json` in the folder for configuration. */
export function optionsFile(env: Readonly<Record<string, string | undefined>>): { path: string; asked: boolean } {
  const asked = env['WAYBILL_OPTIONS'];
  if (asked !== undefined && asked !== '') return { path: asked, asked: true };
  return { path: join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'waybill', 'options.json'), asked: false };
}

/** Reads it: `{ "lang": "de-AT", "tz": "Europe/Vienna" }`. A missing file is an error only if the environment names it. */
export async function readOptionsFile(env: Readonly<Record<string, string | undefined>>): Promise<OptionsFile> {
  const { path, asked } = optionsFile(env);
  const value = await readJsonFile(path, { optional: !asked });
  if (value === undefined) return { path, options: {} };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usage(`${path}: expected one JSON object`);
  const specs = Object.values(optionGroups).flat();
  const known = specs.filter(({ typedOnly }) => typedOnly !== true).map(nameOf);
  for (const [name, given] of Object.entries(value)) {
    if (!known.includes(name)) throw usage(`${path}: "${name}" is not an option that a file may give`, didYouMean(name, known));
    const texts = [given].flat();
    if (typeof given !== 'boolean' && !texts.every((one) => typeof one === 'string')) throw usage(`${path}: "${name}": expected a text`);
  }
  return { path, options: value as Record<string, unknown> };
}
