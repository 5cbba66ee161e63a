import { nearest } from '../nearest.js';

/** The names by which a policy knows a server, and its host if it is reached over HTTP. */
export interface ServerNames {
  readonly names: readonly string[];
  readonly host?: string | undefined;
  /** The package that a command claims to run, if it may run something else. Rules for it only take away. */
  readonly claimed?: string | undefined;
}

export const NO_NAMES: ServerNames = { names: [] };

/** The names of a server at an address: the origin, the whole address, and the host. `given` is a name that the application chose. */
export function namesAt(url: URL, given?: string): ServerNames {
  const host = hostOf(url);
  const address = addressOf(url);
  const names = [originOf(url), address, host, withoutScheme(address)];
  return { names: given === undefined ? names : [given, ...names], host };
}

export function originOf(url: URL): string {
  return `${url.protocol}//${hostOf(url)}${url.port && `:${url.port}`}`;
}

function addressOf(url: URL): string {
  return `${originOf(url)}${url.pathname}${url.search}`;
}

function withoutScheme(address: string): string {
  return address.slice(address.indexOf('//') + 2);
}

/** `URL` already gives lower case and an A-label; a final dot has no meaning. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** Says how a key of `servers` is compared with the names of a server. */
interface ServerPattern {
  readonly isExact: boolean;
  matches(server: ServerNames): boolean;
}

export function serverPattern(key: string): ServerPattern {
  if (key.startsWith('*.')) {
    const end = `.${new URL(`https://${key.slice(2)}`).hostname}`;
    return { isExact: false, matches: ({ host }) => host?.endsWith(end) === true };
  }
  if (key.endsWith('*')) {
    const start = key.slice(0, -1);
    return { isExact: false, matches: ({ names }) => names.some((name) => name.length > start.length && name.startsWith(start)) };
  }
  const name = nameIn(key);
  return { isExact: true, matches: ({ names }) => names.includes(key) || names.includes(name) };
}

/** Writes an address or a host as `namesAt` does. Any other name stays as it is. */
function nameIn(key: string): string {
  const hasScheme = /^https?:\/\//i.test(key);
  if (!hasScheme && !isHost(key.split('/', 1)[0] as string)) return key;
  const url = new URL(hasScheme ? key : `https://${key}`);
  const name = url.pathname === '/' && url.search === '' ? originOf(url) : addressOf(url);
  return hasScheme ? name : withoutScheme(name);
}

/** A name with a dot, in any script: `URL` makes A-labels of it. */
const HOST = /^[\p{L}\d](?:[\p{L}\p{M}\d-]*\.)+[\p{L}\p{M}\d-]+\.?$/u;

function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`https://${text}`);
}

/** The kinds of servers behind a command, as `stdioIdentity()` names them. */
const KINDS = ['npm', 'pypi', 'image', 'python-module', 'command'];
const SCHEMES = ['https', 'http'];

/** `localhost:3000`, `a.example:8443/mcp`, `[::1]:3000`. */
const PORT = /^(?:localhost|\[[\da-f:]+\]|[^/:*]+\.[^/:*]+):\d+(?:\/|$)/i;

/** A key that matches nothing would be a rule that silently does not hold. */
export function checkServer(key: string, path: string): void {
  const fail = (problem: string, meant?: string): never => {
    throw new RangeError(`${path}: ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`);
  };
  if (key.trim() !== key || key === '') fail('expected a server, without blanks around it', key.trim() || undefined);
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(key) ?? [];
  if (scheme !== undefined) return checkAddress(key, scheme, fail);
  if (key === '*') fail('is no server pattern; a rule for every server has a name of its own', 'default');
  if (key.startsWith('*.') ? !isHost(`a${key.slice(1)}`) : key.includes('*') && !/^[^*]+[/:]\*$/.test(key))
    fail('is no server pattern: expected *.domain, or a name whose last part is *', patternIn(key));
  if (PORT.test(key)) fail('has a port, so it needs a scheme', `${/^(?:localhost|[\d.]+:|\[)/i.test(key) ? 'http' : 'https'}://${key}`);
  const [, kind] = /^([a-z-]+):/i.exec(key) ?? [];
  const near = kind === undefined || KINDS.includes(kind) ? undefined : nearest(kind, KINDS);
  if (kind !== undefined && near !== undefined) fail('names an unknown kind of server', `${near}${key.slice(kind.length)}`);
  if (kind === 'https' || kind === 'http') fail('expected an address', key.replace(/^https?:\/*/, `${kind}://`));
}

function checkAddress(key: string, scheme: string, fail: (problem: string, meant?: string) => void): void {
  const rest = key.slice(scheme.length);
  if (!SCHEMES.includes(scheme.toLowerCase())) fail('expected an http address', `${nearest(scheme, SCHEMES) ?? 'https'}${rest}`);
  if (key.includes('*')) fail('is no server pattern: a pattern has no scheme and no path', patternIn(key));
  if (!URL.canParse(key)) fail('is not a URL');
  const { username, password, hash } = new URL(key);
  if (username !== '' || password !== '' || hash !== '') fail('expected an address without user, password and fragment');
}

/** The pattern that somebody who wrote `https://*.corp.example/mcp` or `*corp.example` meant. */
function patternIn(key: string): string | undefined {
  const domain = /\*\.?((?:[a-z\d-]+\.)+[a-z\d-]+)/i.exec(key)?.[1];
  return domain === undefined ? undefined : `*.${domain}`;
}
