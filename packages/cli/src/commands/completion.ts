import { commands } from '../commands.js';
import { usage } from '../failure.js';
import type { OptionSpec } from '../options.js';
import { optionsOf } from '../program.js';
import type { CommandAnswer, Run } from '../run.js';

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish };

export function run({ words }: Run): CommandAnswer {
  const [shell = '', ...more] = words;
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined || more.length > 0)
    throw usage('completion: expected bash, zsh or fish', 'For example: waybill completion bash >> ~/.bashrc');
  const text = script();
  return { result: { shell, script: text }, text };
}

const all = Object.entries(commands).map(([name, spec]) => ({
  name,
  about: spec.about,
  actions: spec.actions ?? [],
  options: [...optionsOf(spec), { flags: '--help', about: 'show its options and examples' }],
}));

const flagOf = ({ flags }: OptionSpec): string => flags.split(' ')[0] ?? '';
const valueOf = ({ flags }: OptionSpec): string | undefined => flags.split(' ')[1];
/** All three shells end a quoted text at an apostrophe. */
const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;

function bash(): string {
  const cases = all.map(({ name, actions, options }) => `    ${name}) words="${[...actions, ...options.map(flagOf)].join(' ')}" ;;`);
  return `_waybill() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then words="${all.map(({ name }) => name).join(' ')}"; else case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _waybill waybill`;
}

function zsh(): string {
  const argument = (option: OptionSpec): string => {
    const value = valueOf(option);
    const takes = value === undefined ? '' : `:${value.replace(':', ' ')}:_files`;
    // A bracket would end the text.
    return quote(`${option.many === true ? '*' : ''}${flagOf(option)}[${option.about.replaceAll(/[[\]]/g, '')}]${takes}`);
  };
  const cases = all.map(({ name, actions, options }) => {
    const first = actions.length === 0 ? [] : [quote(`1:action:(${actions.join(' ')})`)];
    return `    ${name}) _arguments ${[...options.map(argument), ...first, quote('*:word:_files')].join(' ')} ;;`;
  });
  return `#compdef waybill
_waybill() {
  if (( CURRENT == 2 )); then
    local -a all=(${all.map(({ name, about }) => quote(`${name}:${about.replaceAll(':', ' –')}`)).join(' ')})
    _describe command all
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
${cases.join('\n')}
  esac
}
# From a folder of fpath this file is the function itself; sourced, it only defines it.
if [ "$funcstack[1]" = _waybill ]; then _waybill "$@"; else compdef _waybill waybill; fi`;
}

function fish(): string {
  const lines = all.flatMap(({ name, about, actions, options }) => {
    const when = `-n '__fish_seen_subcommand_from ${name}'`;
    // A file name is not completed in place of an action.
    const first = `-f -n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${actions.join(' ')}'`;
    return [
      `complete -c waybill -f -n __fish_use_subcommand -a ${name} -d ${quote(about)}`,
      ...actions.map((action) => `complete -c waybill ${first} -a ${action}`),
      ...options.map((option) => {
        const takes = valueOf(option) === undefined ? '' : ' -r';
        return `complete -c waybill ${when} -l ${flagOf(option).slice(2)}${takes} -d ${quote(option.about)}`;
      }),
    ];
  });
  return lines.join('\n');
}
