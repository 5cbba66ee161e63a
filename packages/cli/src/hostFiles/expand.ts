import { homedir } from 'node:os';
import { Failure, usage } from '../failure.js';
import type { Run } from '../run.js';

/** Fills in `${VAR}`, `${VAR:-x}`, `${env:VAR}`, and the folders that VS Code and Cursor name. `where` is for the message. */
export function expand(text: string, { cwd, env }: Run, where: string): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, inside: string) => {
    if (inside === 'workspaceFolder') return cwd;
    if (inside === 'userHome') return env['HOME'] ?? homedir();
    if (inside.startsWith('input:'))
      throw new Failure(
        'unanswered',
        `${where}: the host would ask for "${inside.slice('input:'.length)}", and it is not here`,
        'Put the value into env, or write -- COMMAND.',
      );
    const [, name, preset] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside) ?? [];
    if (name === undefined) return whole;
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    if (preset !== undefined) return preset;
    throw usage(`${where}: the variable ${name} is not set`, `Set it: ${name}=… waybill …`);
  });
}
