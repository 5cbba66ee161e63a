import { Command, CommanderError, Option } from 'commander';
import { commandGroups, commands } from './commands.js';
import { usage } from './failure.js';
import { didYouMean } from './nearest.js';
import { isFlag, nameOf, type OptionGroup, optionGroups, type OptionSpec } from './options.js';
import type { OptionsFile } from './optionsFile.js';
import { beforeDashes, type Run } from './run.js';
import type { CommandSpec } from './spec.js';
import { wrap } from './table.js';

/** A parsed command line, before the environment and the options file are asked. */
interface Parsed {
  readonly command: string;
  readonly spec: CommandSpec;
  readonly words: readonly string[];
  readonly serverCommand: readonly string[] | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

const ABOUT = 'Calls, compares and checks MCP servers under any context: language, time zone, clock, place, state, trace, capabilities.';
const HELP_HINT = 'waybill --help lists the commands, waybill COMMAND --help the options of one.';
export const EXAMPLES: readonly string[] = [
  'waybill try',
  'waybill call today --lang de-AT --tz Europe/Vienna -- waybill shop',
  'waybill doctor -- waybill shop',
];

/** Under npm and npx the command is not on the path. */
export const asTyped = (line: string, env: Run['env']): string =>
  env['npm_execpath'] === undefined ? line : line.replace(/^waybill\b/, 'npx waybill');

/** The headings of the options in help. */
const HEADINGS: Readonly<Record<OptionGroup, string>> = {
  context: 'Context, for the user of the call:',
  call: 'Call:',
  target: 'Server:',
  general: 'Options:',
};

export const optionsOf = (spec: CommandSpec): readonly OptionSpec[] => [
  ...(spec.options ?? []),
  ...spec.groups.flatMap((group) => optionGroups[group]),
];

/** Parses a command line. Returns nothing if help or the version was asked for, which is then printed. */
export async function parse(args: readonly string[], version: string): Promise<Parsed | undefined> {
  const own = beforeDashes(args);
  const serverCommand = own.length === args.length ? undefined : args.slice(own.length + 1);
  if (serverCommand?.length === 0)
    throw usage('no command stands behind "--"', 'Write the command that starts the server: -- node server.js');
  let parsed: Parsed | undefined;
  const program = build(version, (command, spec, words, options) => {
    parsed = { command, spec, words, serverCommand, options };
  });
  try {
    await program.parseAsync(own, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
    const [message = '', near] = error.message.replace(/^error: /, '').split('\n');
    const [name = ''] = args;
    const hint = Object.hasOwn(commands, name) ? `waybill ${name} --help shows its options.` : HELP_HINT;
    throw usage(message, near?.replace(/[()]/g, '') ?? hint);
  }
  return parsed;
}

type Chosen = (command: string, spec: CommandSpec, words: string[], options: Record<string, unknown>) => void;

function build(version: string, chosen: Chosen): Command {
  const program = new Command('waybill')
    .description(ABOUT)
    .usage('COMMAND …')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this text')
    .configureHelp({ visibleArguments: () => [], subcommandTerm: (one) => one.name() })
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText('after', `\n${examplesText(EXAMPLES)}\nwaybill COMMAND --help shows its words, options and examples.\n`)
    .argument('[command]')
    .action((word: string | undefined) => {
      if (word !== undefined) throw usage(`there is no command "${word}"`, didYouMean(word, Object.keys(commands)) ?? HELP_HINT);
      program.outputHelp();
    });
  for (const [heading, group] of Object.entries(commandGroups))
    for (const [name, spec] of Object.entries(group)) addCommand(program, heading, name, spec, chosen);
  return program;
}

function addCommand(program: Command, heading: string, name: string, spec: CommandSpec, chosen: Chosen): void {
  const command = program.command(name).helpGroup(`${heading}:`).description(spec.about).argument('[words...]');
  command
    .usage(`${spec.words} [options]`.trim())
    .helpOption('-h, --help', 'show this text')
    .configureHelp({ visibleArguments: () => [] });
  for (const option of spec.options ?? []) command.addOption(commanderOption(option));
  for (const group of spec.groups)
    for (const option of optionGroups[group]) command.addOption(commanderOption(option).helpGroup(HEADINGS[group]));
  const details = (spec.details ?? '').split('\n').flatMap((line) => wrap(line, process.stdout.isTTY ? process.stdout.columns : 80));
  command.addHelpText('after', `\n${details[0] === '' ? '' : `${details.join('\n')}\n\n`}${examplesText(spec.examples)}`);
  command.action((words: string[], options: Record<string, unknown>) => chosen(name, spec, words, options));
}

const examplesText = (examples: readonly string[]): string =>
  `Examples:\n${examples.map((example) => `  $ ${asTyped(example, process.env)}`).join('\n')}\n`;

function commanderOption({ flags, about, many }: OptionSpec): Option {
  const [name = '', value] = flags.split(' ');
  const option = new Option(value === undefined ? name : `${name} <${value}>`, about);
  return many === true ? option.argParser((one: string, before: string[] | undefined) => [...(before ?? []), one]) : option;
}

export interface FilledOptions {
  readonly options: Record<string, unknown>;
  /** The variable or file of each option that nobody typed. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Adds the options that the command line did not give: from the environment (`WAYBILL_TZ`), then from the options file. */
export function fillOptions(parsed: Parsed, env: Run['env'], file: OptionsFile): FilledOptions {
  const options: Record<string, unknown> = { ...parsed.options };
  const sources: Record<string, string> = {};
  for (const spec of optionsOf(parsed.spec)) {
    const name = nameOf(spec);
    if (options[name] !== undefined || spec.typedOnly === true) continue;
    const variable = `WAYBILL_${name.toUpperCase()}`;
    const given = env[variable] === '' ? undefined : env[variable];
    const value = given ?? file.options[name];
    if (value === undefined) continue;
    sources[name] = given === undefined ? `${file.path}: "${name}"` : variable;
    options[name] = isFlag(spec) ? value === true || value === '1' || value === 'true' : spec.many === true ? [value].flat() : value;
  }
  return { options, sources };
}
