/** `--print-config` of a host's file: YAML to begin with. */
import { stringify } from 'yaml';
import type { JsonRecord } from '../json/values.js';
import { LISTEN } from './defaults.js';
import { part } from './parts.js';
import { withoutSecretArguments, withoutSecrets } from './secrets.js';
import { variableName } from './variables.js';

/** An `mcpServers` file as YAML to begin with. Values of `env`, of headers and of queries become variables, so that no secret is copied. */
export function starterOf(written: JsonRecord, file: string): string {
  const needed = new Map<string, string>();
  /** Two servers may have different values under one name: the second one gets a name of its own. */
  const variable = (server: string, name: string, value: string): string => {
    if (value.includes('${')) return plainVariables(value, needed);
    const plain = variableName(name);
    const free = [undefined, value].includes(needed.get(plain)) ? plain : variableName(`${server}_${name}`);
    needed.set(free, value);
    return `\${${free}}`;
  };
  const named = (server: string, values: unknown, prefix = ''): JsonRecord =>
    Object.fromEntries(
      Object.entries(values as Record<string, string>).map(([key, value]) => [key, variable(server, `${prefix}${key}`, value)]),
    );
  const upstreams = Object.fromEntries(
    Object.entries(part(written, 'upstreams')).map(([name, upstream]) => {
      const { url, command, env, credentials, ...rest } = upstream as JsonRecord;
      return [
        name,
        {
          ...(typeof url === 'string' && {
            url: withoutSecrets(url, (word, value) => variable(name, `${name}_${word}`, value)),
          }),
          ...(command !== undefined && {
            command: withoutSecretArguments(command as string[], (word, value) => variable(name, word, value)),
          }),
          ...rest,
          ...(env !== undefined && { env: named(name, env) }),
          ...(credentials !== undefined && { credentials: named(name, credentials, `${name}_`) }),
        },
      ];
    }),
  );
  const note = needed.size === 0 ? '' : `# Set these variables; their values stand in ${file}: ${[...needed.keys()].join(', ')}\n`;
  return `# Made from ${file}.\n${note}${stringify({ listen: LISTEN, upstreams })}`;
}

/** A question of VS Code gets a name of its own. A default may be a secret: the variable has to be set in its place. */
function plainVariables(text: string, needed: Map<string, string>): string {
  return text
    .replaceAll(/\$\{input:([^}]*)\}/g, (_, input: string) => `\${${variableName(input)}}`)
    .replaceAll(/\$\{(?:env:)?(\w+):-([^}]+)\}/g, (_, name: string, standIn: string) => {
      needed.set(name, standIn);
      return `\${${name}}`;
    });
}
