/** The entries that the gateway writes for its operator: one for each event. The command writes them as text or as JSON. */
export interface LogEntry {
  readonly level: 'info' | 'warn';
  readonly message: string;
  /** The upstream that it is about. */
  readonly upstream?: string;
  /** The facts about one call. */
  readonly audit?: Audit;
}

/** The names of the members are those of the JSON lines. */
export interface Audit {
  /** The verified user; `-` if nobody was verified. */
  readonly who: string;
  readonly upstream: string;
  readonly method: string;
  /** The tool, prompt or resource. */
  readonly name?: string;
  readonly outcome: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Names of what the upstream was told of the client, and of what was kept from it. Never values. */
  readonly disclosed: readonly string[];
  readonly withheld: readonly string[];
}

/** `line`: the entry in one line of text, if it is known already. */
export type Log = (entry: LogEntry, line?: string) => void;

/** An entry in one line of text. */
export function lineOf({ message, upstream, audit }: LogEntry): string {
  if (audit === undefined) return visible(redacted(upstream === undefined ? message : `${upstream}: ${message}`));
  const members = Object.entries(audit).map(
    ([name, value]) => `${name}=${plain(Array.isArray(value) ? value.join(',') || '-' : String(value))}`,
  );
  return `audit ${members.join(' ')}`;
}

/** Clients and servers choose some of the values: none of them may look like a further member or line. */
function plain(value: string): string {
  return /^[\w.:/@,~+-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Servers choose some of the words: none of them may begin another line, or move the cursor of a terminal. */
function visible(text: string): string {
  return text.replaceAll(/(?!\t)\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces each `"_meta": {…}` in a text: it holds what users told about themselves. */
export function redacted(text: string): string {
  let rest = text;
  let done = '';
  for (let found = META.exec(rest); found !== null; found = META.exec(rest)) {
    const start = found.index + found[0].length;
    done += `${rest.slice(0, start)}[redacted]`;
    rest = rest.slice(endOfObject(rest, start));
  }
  return done + rest;
}

const META = /\\?"_meta\\?"\s*:\s*(?=\{)/;

/** The end of the object that begins here. An object that is cut off ends with the text. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '\\') at++;
    else if (letter === '"') isText = !isText;
    else if (!isText && letter === '{') depth++;
    else if (!isText && letter === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}
