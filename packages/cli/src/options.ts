/** Every option that more than one command has, as data: help, completion, the environment and the options file all use this table. */
export interface OptionSpec {
  /** As typed, with the name of its value: `--lang TAGS`. */
  readonly flags: string;
  readonly about: string;
  /** May be given more than once. */
  readonly many?: boolean;
  /** Only the command line may give it: a secret, or a trust. */
  readonly typedOnly?: boolean;
}

const context: readonly OptionSpec[] = [
  { flags: '--lang TAGS', about: 'languages, best first: de-AT, "fr-CH, fr;q=0.9", or auto for those of this machine' },
  { flags: '--tz ZONE', about: "the user's time zone: Europe/Vienna, or none (default: this machine's)" },
  { flags: '--now TIME', about: "the user's clock: 2026-10-25T02:30:00+01:00, or none (default: this machine's; none with --tz none)" },
  {
    flags: '--locale TAG',
    about: "how the user writes numbers and dates: de-AT, or none (default: the first of --lang, or this machine's)",
  },
  { flags: '--place PLACE', about: "the user's place: AT, AT/Vienna, or 48.21,16.37 (default: none is sent)" },
  { flags: '--capability NAME', about: 'what requests declare, instead of elicitation.form: sampling.tools, or none', many: true },
  { flags: '--trace WHAT', about: 'start: a trace for each request; or a traceparent to continue' },
  { flags: '--principal NAME', about: 'whose calls these are, and whose state' },
  { flags: '--conversation ID', about: 'the conversation whose session state is meant; needs --jar' },
  { flags: '--jar FILE', about: 'keep what servers give this client in this file; without it nothing is kept' },
  { flags: '--policy FILE', about: 'what each server may know, as YAML or JSON; see docs/reference/policy.md' },
];

const target: readonly OptionSpec[] = [
  { flags: '--config FILE', about: 'look for the name of the server in this file only' },
  { flags: '--trust FILE', about: 'use the servers of this project file without asking', many: true, typedOnly: true },
  { flags: '--revision NAME', about: 'auto, 2026-07-28 or 2025-11-25 (default: auto)' },
  { flags: '--timeout SECONDS', about: 'how long one answer may take (default: 30)' },
  { flags: '--header LINE', about: 'an HTTP header: "Authorization: Bearer …"', many: true, typedOnly: true },
];

const general: readonly OptionSpec[] = [
  { flags: '--json', about: 'one JSON object on stdout; streams as JSON lines' },
  { flags: '--debug', about: 'show the stack of an error, and what a command writes to its stderr' },
];

const call: readonly OptionSpec[] = [
  {
    flags: '--answer FILE',
    about: 'answers to questions of the server: a JSON object, or a list with one for each question',
    typedOnly: true,
  },
  { flags: '--messages', about: 'show each message, with the part of each concern marked' },
  { flags: '--record FILE', about: 'write the call and its answer to this file, for replay', typedOnly: true },
  { flags: '--with-state', about: 'with --record: also record state', typedOnly: true },
  { flags: '--preview', about: 'show what would be sent, and send nothing', typedOnly: true },
];

export const optionGroups = { context, target, call, general } as const;
export type OptionGroup = keyof typeof optionGroups;

/** A flag is an option without a value. */
export const isFlag = ({ flags }: OptionSpec): boolean => !flags.includes(' ');

/** `--with-state` is `withState` among the options. */
export function nameOf({ flags }: OptionSpec): string {
  const [word = ''] = flags.split(' ');
  return word.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
