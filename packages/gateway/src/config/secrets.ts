/** Finds what may be a secret in the arguments of a command and in addresses. Too much is better than too little: a secret has no mark. */

/** Gives what stands in place of a secret. `name`: a word for it, such as the option before it. */
export type Replace = (name: string, secret: string) => string;

const NAME = /token|key|secret|pass|pwd|auth|cred|bearer|cookie|header|connection|dsn|(?:^|[-_])pat(?:$|[-_])/i;
const OPTION = /^--?([A-Za-z][\w-]*)$/;
const OPTION_WITH_VALUE = /^--?([A-Za-z][\w-]*)=(.+)$/s;

export function withoutSecretArguments(command: readonly string[], replace: Replace): string[] {
  return command.map((argument, at) => {
    const before = at > 1 ? OPTION.exec(command[at - 1] as string)?.[1] : undefined;
    const isNext = before !== undefined && (before === 'H' || NAME.test(before));
    if (isNext && !argument.startsWith('--')) return replace(before === 'H' ? 'header' : before, argument);
    const [, option, value] = OPTION_WITH_VALUE.exec(argument) ?? [];
    if (option === undefined || value === undefined) return withoutSecrets(argument, replace);
    return `${argument.slice(0, -value.length)}${NAME.test(option) ? replace(option, value) : withoutSecrets(value, replace)}`;
  });
}

/** `NAME=value` as in an environment; other names only if they tell of a secret. */
const ASSIGNMENT = /([A-Za-z_][\w.-]*)=("[^"]*"|'[^']*'|[^\s;&|]+)/g;
const MEMBER = /"([\w.-]+)"\s*:\s*"([^"]+)"/g;
const USER = /([a-z][a-z0-9+.-]*:\/\/)([^/?#\s"']*)@/gi;
const QUERY = /([a-z][a-z0-9+.-]*:\/\/[^\s?#"']*\?)([^\s"']+)/gi;
/** Letters and digits as they come out of a generator. */
const RANDOM = /(?<![\w/.:-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?![\w/.-])/g;

/** A part of the path of an address, as services put a key into it. */
const PATH_PART = /(?<=:\/\/[^\s"'?#]*\/)[\w-]{20,}(?=[/?#\s"']|$)/g;

/** A text without the user and the password of an address in it. */
export function withoutUser(text: string, replace: Replace): string {
  return text.replace(USER, (_, scheme: string, secret: string) => `${scheme}${replace('user', secret)}@`);
}

/** A text without what looks like a secret in it. */
export function withoutSecrets(text: string, replace: Replace): string {
  return withoutUser(text, replace)
    .replace(PATH_PART, (name) => (isGenerated(name) ? replace('secret', name) : name))
    .replace(QUERY, (_, address: string, secret: string) => `${address}${replace('query', secret)}`)
    .replace(ASSIGNMENT, (whole, name: string, secret: string, at: number, all: string) =>
      isSecretName(name, all.slice(0, at)) ? `${name}=${replace(name, secret)}` : whole,
    )
    .replace(MEMBER, (whole, name: string, secret: string) =>
      NAME.test(name) ? `${whole.slice(0, -secret.length - 1)}${replace(name, secret)}"` : whole,
    )
    .replace(RANDOM, (secret) => replace('secret', secret));
}

/** Names that people write have shorter words, or words without digits. */
function isGenerated(name: string): boolean {
  return name.split(/[-_]/).some((word) => word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word));
}

/** In an address, a query was replaced before. An option such as --port=80 is not an assignment. */
function isSecretName(name: string, before: string): boolean {
  return NAME.test(name) || (/^[A-Z_][A-Z0-9_]*$/.test(name) && !/[?&]$/.test(before));
}
