/** Fills `${VAR}`, `${VAR:-default}` and `${env:VAR}` into every text of a configuration. */
import { isObject } from '../json/values.js';
import type { Problem } from './problem.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export function fillVariables(value: unknown, env: Environment, problems: Problem[], path: readonly (string | number)[] = []): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, standIn: string | undefined) => {
      const found = env[name];
      if (found !== undefined && (found !== '' || standIn === undefined)) return found;
      if (standIn === undefined)
        problems.push({ path, text: `the variable ${name} is not set, and has no default (\${${name}:-default})` });
      return standIn ?? '';
    });
  if (Array.isArray(value)) return value.map((item, index) => fillVariables(item, env, problems, [...path, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillVariables(item, env, problems, [...path, name])]));
}
