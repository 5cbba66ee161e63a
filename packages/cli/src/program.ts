import { Command, CommanderError, Option } from 'commander';
import { commands, type CommandSpec } from './commands.js';
import { usage } from './failure.js';
import { didYouMean } from './nearest.js';
import { nameOf, optionGroups, type OptionSpec } from './options.js';

/** A parsed command line, before the environment and the options file are asked. */
export interface Parsed {
  readonly command: string;
  readonly spec: CommandSpec;
  readonly words: readonly string[];
  readonly typed: readonly string[] | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

const ALL_COMMANDS = 'waybill --help lists the commands, waybill COMMAND --help the options of one.';
const ABOUT = `Calls, compares and checks MCP servers under any context: language, time zone, clock, place, state, trace, capabilities.`;

export const optionsOf = (spec: CommandSpec): readonly OptionSpec[] => [
  ...(spec.options ?? []),
  ...spec.groups.flatMap((group) => optionGroups[group]),
];

/** Parses a command line. Returns nothing if help or the version was asked for, which is then printed. */
export async function parse(args: readonly string[], version: string): Promise<Parsed | undefined> {
  const end = args.indexOf('--');
  const typed = end < 0 ? undefined : args.slice(end + 1);
  if (typed?.length === 0) throw usage('no command stands behind "--"', 'Write the command that starts the server: -- node server.js');
  let parsed: Parsed | undefined;
  const program = build(version, (command, spec, words, options) => {
    parsed = { command, spec, words, typed, options };
  });
  try {
    await program.parseAsync(end < 0 ? [...args] : args.slice(0, end), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
    const [message = '', near] = error.message.replace(/^error: /, '').split('\n');
    throw usage(message, near?.replace(/[()]/g, '') ?? ALL_COMMANDS);
  }
  return parsed;
}

type Chosen = (command: string, spec: CommandSpec, words: string[], options: Record<string, unknown>) => void;

function build(version: string, chosen: Chosen): Command {
  const program = new Command('waybill')
    .description(ABOUT)
    .usage('COMMAND …')
    .version(version)
    .configureHelp({ visibleArguments: () => [], subcommandTerm: (one) => `${one.name()} ${commands[one.name()]?.words ?? ''}`.trim() })
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText('after', `\nExamples:\n  $ waybill call today --lang de-AT --tz Europe/Vienna -- waybill shop\n`)
    .argument('[command]')
    .action((word: string | undefined) => {
      if (word !== undefined) throw usage(`there is no command "${word}"`, didYouMean(word, Object.keys(commands)) ?? ALL_COMMANDS);
      program.outputHelp();
    });
  for (const [name, spec] of Object.entries(commands)) {
    const command = program.command(name).description(spec.about).usage(`${spec.words} [options]`.trim()).argument('[words...]');
    for (const option of optionsOf(spec)) command.addOption(commanderOption(option));
    const examples = `Examples:\n${spec.examples.map((example) => `  $ ${example}`).join('\n')}\n`;
    command.addHelpText('after', `\n${spec.details === undefined ? '' : `${spec.details}\n\n`}${examples}`);
    command.configureHelp({ visibleArguments: () => [] });
    command.action((words: string[], options: Record<string, unknown>) => chosen(name, spec, words, options));
  }
  return program;
}

function commanderOption({ flags, about, many }: OptionSpec): Option {
  const [name = '', value] = flags.split(' ');
  const option = new Option(value === undefined ? name : `${name} <${value}>`, about);
  return many === true ? option.argParser((one: string, before: string[] | undefined) => [...(before ?? []), one]) : option;
}

/** Adds the options that the command line did not give: from the environment (`WAYBILL_TZ`), then from the options file. */
export function complete(
  parsed: Parsed,
  env: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const options: Record<string, unknown> = { ...parsed.options };
  for (const spec of optionsOf(parsed.spec)) {
    const name = nameOf(spec);
    if (options[name] !== undefined || spec.typedOnly === true) continue;
    const given = env[`WAYBILL_${name.toUpperCase()}`];
    const value = given === undefined || given === '' ? file[name] : given;
    if (value === undefined) continue;
    const isFlag = !spec.flags.includes(' ');
    options[name] = isFlag ? value === true || value === '1' || value === 'true' : spec.many === true ? [value].flat() : value;
  }
  return options;
}
