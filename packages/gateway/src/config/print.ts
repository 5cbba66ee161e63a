/** `--print-config`: the configuration as it is used, in the words of the file, with secrets masked. */
import { stringify } from 'yaml';
import { isObject, own, type JsonRecord } from '../json/values.js';
import { ConfigText, readConfig, readHostFile, type ConfigInput } from './load.js';
import { merged } from './merge.js';
import { part } from './parts.js';
import { withoutSecretArguments, withoutSecrets, type Replace } from './secrets.js';
import { variableName } from './variables.js';

const MASK = '***';

/** Every setting that has a default and was not written. */
const DEFAULTS: JsonRecord = {
  listen: '127.0.0.1:7780',
  hosts: [],
  origins: [],
  feed: 'names',
  log: { format: 'text', audit: true },
  limits: { body: '4MB', depth: 128, time: '60s' },
};

export function printConfig(input: ConfigInput): string {
  const file = input instanceof ConfigText ? input.file : 'the program';
  const ofHost = readHostFile(input);
  if (ofHost !== undefined) return starter(ofHost, file);
  const { raw, written, config } = readConfig(input);
  const { defaults, upstreams, ...rest } = raw;
  const whole = {
    ...merged(DEFAULTS, rest),
    store: config.store,
    upstreams: Object.fromEntries(
      Object.entries(upstreams as JsonRecord).map(([name, upstream]) => [
        name,
        merged(isObject(defaults) ? defaults : {}, upstream as JsonRecord),
      ]),
    ),
  };
  return `# The configuration of ${file} as it is used. Secrets are masked.\n${stringify(masked(whole, written, []))}`;
}

function masked(value: unknown, written: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return shown(value, written, path);
  if (Array.isArray(value)) {
    const shownList = value.map((item, at) => masked(item, Array.isArray(written) ? written[at] : undefined, [...path, String(at)]));
    return path[2] === 'command' ? withoutSecretArguments(shownList as string[], kept) : shownList;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, own(written, name), [...path, name])]));
}

function shown(text: string, written: unknown, path: readonly string[]): string {
  const [top, second, member] = path;
  if (top === 'key' || (top === 'admin' && second === 'token')) return MASK;
  if (top === 'upstreams' && (member === 'env' || (member === 'credentials' && path.length > 3))) return MASK;
  // A variable of an upstream, in an argument or an address, may be a secret: it is shown as it was written.
  const shown = top === 'upstreams' && typeof written === 'string' && written.includes('${') ? written : text;
  return path[2] === 'command' ? shown : withoutQuery(withoutSecrets(shown, kept));
}

/** The name of a variable is no secret; its default may be one. */
const kept: Replace = (_, secret) => (secret.includes('${') ? secret.replaceAll(/:-[^}]+\}/g, `:-${MASK}}`) : MASK);

/** Everything behind the path of an address. */
function withoutQuery(text: string): string {
  return /^[a-z]+:\/\//i.test(text) ? text.replace(/[?#].*$/s, (rest) => `${rest.slice(0, 1)}${MASK}`) : text;
}

/** An `mcpServers` file as YAML to begin with. Values of `env`, of headers and of queries become variables, so that no secret is copied. */
function starter(written: JsonRecord, file: string): string {
  const needed = new Map<string, string>();
  /** Two servers may have different values under one name: the second one gets a name of its own. */
  const variable = (server: string, name: string, value: string): string => {
    // A question of VS Code has a name of its own.
    if (value.includes('${')) return value.replaceAll(/\$\{input:([^}]*)\}/g, (_, input: string) => `\${${variableName(input)}}`);
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
  return `# Made from ${file}.\n${note}${stringify({ listen: DEFAULTS['listen'], upstreams })}`;
}
