import type { Issue } from 'waybill';
import type { Output } from './output.js';

/** One run of a command. */
export interface Run {
  readonly command: string;
  /** The words after the name of the command. */
  readonly words: readonly string[];
  /** The words after `--`. */
  readonly serverCommand: readonly string[] | undefined;
  /** As the command line, the environment and the options file gave them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly out: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Run before the process ends, the last one first: children are stopped here. */
  readonly cleanup: (() => Promise<void> | void)[];
  /** Facts for the JSON output, which a failure shows as well, and the end of what the server wrote to its stderr. */
  readonly about: { target?: string; language?: string | undefined; readonly issues: Issue[]; stderr?: string };
}

/** The answer of a command. `text` is for people, `result` for programs. */
export interface CommandAnswer {
  /** False: the answer is no, and the exit code is 1. */
  readonly ok?: boolean;
  readonly result: unknown;
  readonly text: string;
}

export type Command = (run: Run) => Promise<CommandAnswer | undefined> | CommandAnswer;

/** The words of a command line before `--`. Those behind it are the command of a server. */
export function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** An option whose value is one text. */
export const textOf = (run: Pick<Run, 'options'>, name: string): string | undefined => {
  const value = run.options[name];
  return typeof value === 'string' ? value : undefined;
};
/** An option that may be given more than once. */
export const listOf = (run: Pick<Run, 'options'>, name: string): readonly string[] => {
  const value = run.options[name];
  return Array.isArray(value) ? value.map(String) : [];
};
export const isOn = (run: Pick<Run, 'options'>, name: string): boolean => run.options[name] === true;
