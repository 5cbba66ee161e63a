/**
 * Keeps secrets out of every output: values of `env` and of headers, credentials and queries of URLs. Where a secret is shown in its place, it
 * is masked there; a secret that turns up anywhere else (an error message, an answer) is found by its text.
 */
const MASK = '***';
/** Shorter values ("1", "true") occur everywhere by chance, and masking them would make output unreadable. */
const SHORTEST = 6;

export class Secrets {
  readonly #values = new Set<string>();

  add(...values: readonly string[]): void {
    for (const value of values) {
      if (value.length >= SHORTEST) this.#values.add(value);
      // "Bearer abc…": a server may repeat the token alone.
      const [, token] = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(value) ?? [];
      if (token !== undefined && token.length >= SHORTEST) this.#values.add(token);
    }
  }

  addUrl(url: URL): void {
    this.add(url.username, url.password, decode(url.username), decode(url.password), url.search.slice(1), ...url.searchParams.values());
  }

  /** Credentials and queries of the URLs among the arguments of a command. */
  addArguments(args: readonly string[]): void {
    for (const one of args) {
      const { address } = urlIn(one) ?? {};
      if (address !== undefined) this.addUrl(address);
    }
  }

  /** Replaces every secret in a text. */
  hide(text: string): string {
    let hidden = text;
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) hidden = hidden.replaceAll(value, MASK);
    return hidden;
  }

  /** Does the same in every text of a JSON value. */
  hideIn(value: unknown): unknown {
    if (this.#values.size === 0) return value;
    if (typeof value === 'string') return this.hide(value);
    if (Array.isArray(value)) return value.map((one) => this.hideIn(one));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.hide(name), this.hideIn(one)]));
    return value;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL with its credentials and its query masked. */
export function maskUrl(url: URL): string {
  const credentials = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${url.search === '' ? '' : `?${MASK}`}`;
}

/** Does the same for an address of a file, which may not be a URL. */
export const maskAddress = (address: string): string =>
  URL.canParse(address) ? maskUrl(new URL(address)) : address.replace(/\?.*/, `?${MASK}`);

/** An argument of a command that is a URL, or ends with one, as `--url=https://…`. */
export function maskArgument(argument: string): string {
  const found = urlIn(argument);
  return found === undefined ? argument : `${found.before}${maskUrl(found.address)}`;
}

function urlIn(argument: string): { before: string; address: URL } | undefined {
  const [, before = '', text = ''] = /^([^:/?#]*=)?([a-z][a-z\d+.-]*:\/\/.*)$/is.exec(argument) ?? [];
  return URL.canParse(text) ? { before, address: new URL(text) } : undefined;
}

/** The names stay, the values do not. */
export const maskValues = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, MASK]));
