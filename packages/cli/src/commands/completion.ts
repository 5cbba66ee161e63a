import { commands } from '../commands.js';
import { usage } from '../failure.js';
import { optionsOf } from '../program.js';
import type { Outcome, Run } from '../run.js';

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish };

export function run({ words }: Run): Outcome {
  const [shell = '', ...more] = words;
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined || more.length > 0)
    throw usage('completion: expected bash, zsh or fish', 'For example: waybill completion bash >> ~/.bashrc');
  const text = script();
  return { result: { shell, script: text }, text };
}

const names = Object.keys(commands);
const flagsOf = (name: string): string[] => [
  ...(commands[name] === undefined ? [] : optionsOf(commands[name])).map(({ flags }) => flags.split(' ')[0] ?? ''),
  '--help',
];

function bash(): string {
  const cases = names.map((name) => `    ${name}) words="${[...(commands[name]?.actions ?? []), ...flagsOf(name)].join(' ')}" ;;`);
  return `_waybill() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names.join(' ')}"; else case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _waybill waybill`;
}

function zsh(): string {
  const quote = (text: string): string => text.replaceAll("'", '’').replaceAll(':', ';');
  const cases = names.map((name) => {
    const options = (commands[name] === undefined ? [] : optionsOf(commands[name])).map(({ flags, about, many }) => {
      const [flag = '', value] = flags.split(' ');
      return `'${many === true ? '*' : ''}${flag}[${quote(about).replaceAll(/[[\]]/g, '')}]${value === undefined ? '' : `:${value}:_files`}'`;
    });
    const actions = commands[name]?.actions;
    return `    ${name}) _arguments ${[...options, ...(actions === undefined ? [] : [`'2:action:(${actions.join(' ')})'`]), "'*:word:_files'"].join(' ')} ;;`;
  });
  return `#compdef waybill
_waybill() {
  if (( CURRENT == 2 )); then
    local -a all=(${names.map((name) => `'${name}:${quote(commands[name]?.about ?? '')}'`).join(' ')})
    _describe command all
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
compdef _waybill waybill`;
}

function fish(): string {
  const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;
  const lines = names.flatMap((name) => {
    const when = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c waybill -n __fish_use_subcommand -a ${name} -d ${quote(commands[name]?.about ?? '')}`,
      ...(commands[name]?.actions ?? []).map((action) => `complete -c waybill ${when} -a ${action}`),
      ...(commands[name] === undefined ? [] : optionsOf(commands[name])).map(({ flags, about }) => {
        const [flag = '', value] = flags.split(' ');
        return `complete -c waybill ${when} -l ${flag.slice(2)}${value === undefined ? '' : ' -r'} -d ${quote(about)}`;
      }),
    ];
  });
  return lines.join('\n');
}
