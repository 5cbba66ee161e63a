/** `--print-config`: the configuration as it is used, in the words of the file, with secrets masked. */
import { stringify } from 'yaml';
import { isObject, own, type JsonRecord } from '../json/values.js';
import type { ReadConfig } from './load.js';
import { merged } from './merge.js';
import { part } from './parts.js';

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

export function printConfig({ raw, written, isHostFile, file, store }: ReadConfig & { readonly store: string }): string {
  if (isHostFile) return starter(written, file);
  const { defaults, upstreams, ...rest } = raw;
  const whole = {
    ...merged(DEFAULTS, rest),
    store,
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
  if (Array.isArray(value))
    return value.map((item, at) => masked(item, Array.isArray(written) ? written[at] : undefined, [...path, String(at)]));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, own(written, name), [...path, name])]));
}

function shown(text: string, written: unknown, path: readonly string[]): string {
  const [top, , member] = path;
  if ((top === 'admin' && path[1] === 'token') || top === 'key') return MASK;
  if (top === 'store') return withoutPassword(text);
  if (top !== 'upstreams') return text;
  if (member === 'env' || (member === 'credentials' && path.length > 3)) return MASK;
  // A variable in an argument may be a secret: it is shown as it was written.
  if (member === 'command' && typeof written === 'string') return written;
  return member === 'url' ? withoutPassword(text) : text;
}

function withoutPassword(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^/@]*:)[^/@]*@/, `$1${MASK}@`).replaceAll(/([?&][^=&]+=)[^&]+/g, `$1${MASK}`);
}

/** An `mcpServers` file as YAML to begin with. Values of `env` and of headers become variables, so that no secret is copied. */
function starter(written: JsonRecord, file: string): string {
  const needed = new Set<string>();
  const variable = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.includes('${')) return value;
    const safe = name
      .toUpperCase()
      .replaceAll(/[^A-Z0-9_]+/g, '_')
      .replace(/^(?=\d)/, '_');
    needed.add(safe);
    return `\${${safe}}`;
  };
  const upstreams = Object.fromEntries(
    Object.entries(part(written, 'upstreams')).map(([name, upstream]) => {
      const { env, credentials } = upstream as JsonRecord;
      const named = (values: JsonRecord, prefix: string): JsonRecord =>
        Object.fromEntries(Object.entries(values).map(([key, value]) => [key, variable(`${prefix}${key}`, value)]));
      return [
        name,
        {
          ...(upstream as JsonRecord),
          ...(isObject(env) && { env: named(env, '') }),
          ...(isObject(credentials) && { credentials: named(credentials, `${name}_`) }),
        },
      ];
    }),
  );
  const note = needed.size === 0 ? '' : `# Set these variables; their values stand in ${file}: ${[...needed].join(', ')}\n`;
  return `# Made from ${file}.\n${note}${stringify({ listen: DEFAULTS['listen'], upstreams })}`;
}
