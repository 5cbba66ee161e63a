/** `--print-config`: the configuration as it is used, in the words of the file, with secrets masked. */
import { stringify } from 'yaml';
import { isObject, own, type JsonRecord } from '../json/values.js';
import { ConfigText, readConfig, readHostFile, type ConfigInput } from './load.js';
import { merged } from './merge.js';
import { part } from './parts.js';
import { withoutSecretArguments, withoutSecrets, withoutUser, type Replace } from './secrets.js';
import { starterOf } from './starter.js';
import { FOR_COMMANDS } from './upstream.js';

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

const JWT_DEFAULTS: JsonRecord = { claim: 'sub', skew: '30s' };

const UPSTREAM_DEFAULTS: JsonRecord = {
  revision: 'auto',
  state: { mode: 'pass' },
  trace: { mode: 'pass', spans: false },
  children: { max: 20, idle: '5m' },
};

/** Defaults of rules that are off unless they are written. */
const RULE_DEFAULTS: JsonRecord = {
  language: { from: ['meta'], fields: ['title'] },
  environment: { mode: 'pass' },
  tools: { include: ['*'], exclude: [], unmet: 'refuse' },
};

export function printConfig(input: ConfigInput): string {
  const file = input instanceof ConfigText ? input.file : 'the program';
  const ofHost = readHostFile(input);
  if (ofHost !== undefined) return starterOf(ofHost, file);
  const { raw, written, config } = readConfig(input);
  const { upstreams, ...rest } = raw;
  const defaults = part(rest, 'defaults');
  delete rest['defaults'];
  const jwt = own(rest['identity'], 'jwt');
  const whole = {
    ...merged(DEFAULTS, rest),
    ...(isObject(jwt) && { identity: { jwt: { ...JWT_DEFAULTS, ...jwt } } }),
    store: config.store,
    upstreams: Object.fromEntries(
      Object.entries(upstreams as Record<string, JsonRecord>).map(([name, given]) => [name, effective(given, defaults)]),
    ),
  };
  return `# The configuration of ${file} as it is used. Secrets are masked.\n${stringify(masked(whole, written, []))}`;
}

function effective(given: JsonRecord, defaults: JsonRecord): JsonRecord {
  const { url, command, ...rest } = given;
  const written = merged(defaults, rest);
  const rules = Object.fromEntries(Object.entries(RULE_DEFAULTS).filter(([name]) => name in written));
  const whole = merged({ ...UPSTREAM_DEFAULTS, ...rules }, written);
  if (url === undefined) return { command, ...whole };
  return { url, ...Object.fromEntries(Object.entries(whole).filter(([name]) => !FOR_COMMANDS.some((one) => one === name))) };
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

const MAY_HOLD_SECRETS = new Set<string | undefined>(['upstreams', 'store', 'otlp']);

function shown(text: string, written: unknown, path: readonly string[]): string {
  const [top, second, member] = path;
  if (top === 'key' || (top === 'admin' && second === 'token')) return MASK;
  if (top === 'upstreams' && (member === 'env' || (member === 'credentials' && path.length > 3))) return MASK;
  // Names such as an audience may look as if a generator had made them.
  if (!MAY_HOLD_SECRETS.has(top)) return withoutQuery(withoutUser(text, kept));
  // A variable of an upstream, in an argument or an address, may be a secret: it is shown as it was written.
  const shown = top === 'upstreams' && typeof written === 'string' && written.includes('${') ? written : text;
  return path[2] === 'command' ? shown : withoutQuery(withoutSecrets(shown, kept));
}

/** The name of a variable is not secret; its default may be. */
const kept: Replace = (_, secret) => (secret.includes('${') ? secret.replaceAll(/:-[^}]+\}/g, `:-${MASK}}`) : MASK);

/** Everything after the path of an address. */
function withoutQuery(text: string): string {
  return /^[a-z]+:\/\//i.test(text) ? text.replace(/[?#].*$/s, (rest) => `${rest.slice(0, 1)}${MASK}`) : text;
}
