/** `--print-config`: the configuration as it is used, in the words of the file, with secrets masked. */
import { stringify } from 'yaml';
import { isObject, own } from '../json/values.js';
import { ConfigText, readConfig, readHostFile, type ConfigInput } from './load.js';
import { withoutSecretArguments, withoutSecrets, withoutUser, type Replace } from './secrets.js';
import { starterOf } from './starter.js';

const MASK = '***';

export function printConfig(input: ConfigInput): string {
  const file = input instanceof ConfigText ? input.file : 'the program';
  const ofHost = readHostFile(input);
  if (ofHost !== undefined) return starterOf(ofHost, file);
  const { raw, written, config } = readConfig(input);
  const { upstreams, ...rest } = raw;
  const whole = { ...rest, store: config.store, upstreams };
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
