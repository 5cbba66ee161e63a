/** Fills `${VAR}`, `${VAR:-default}` and `${env:VAR}` into every text of a configuration. `$${…}` stays as it is, without the first `$`. */
import { isObject } from '../json/values.js';
import type { Problem } from './problem.js';

export type Variables = Readonly<Record<string, string | undefined>>;

const PLACE = /\$?\$\{([^}]*)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

export function fillVariables(value: unknown, env: Variables, problems: Problem[], path: readonly (string | number)[] = []): unknown {
  if (typeof value === 'string')
    return value.replaceAll(PLACE, (whole, inside: string) => {
      if (whole.startsWith('$$')) return whole.slice(1);
      const [, name, standIn] = VARIABLE.exec(inside) ?? [];
      if (name === undefined) {
        problems.push({ path, text: noVariable(whole, inside) });
        return '';
      }
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

function noVariable(whole: string, inside: string): string {
  if (inside.startsWith('input:'))
    return `${whole} is a question that a host asks; write a variable, such as \${${variableName(inside.slice(6))}}`;
  return `${whole} is not a variable: a name has only letters, digits and _. If it is to stay as it is, write $${whole}`;
}

export function variableName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_')
    .replace(/^(?=\d)/, '_');
}
