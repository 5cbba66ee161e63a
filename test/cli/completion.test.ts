/** The completion scripts, loaded in the real shells. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { environment, makeFolder, WAYBILL } from './waybill.js';

const home = makeFolder();
afterAll(() => home.remove());

const inHome = (file: string, ...args: string[]): string => {
  const { stdout, stderr } = spawnSync(file, args, {
    cwd: home.path,
    env: { ...environment(home.path), TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 20_000,
  });
  return `${stdout}${stderr}`;
};
const SHELLS = ['bash', 'zsh', 'fish'] as const;
for (const shell of SHELLS) writeFileSync(join(home.path, shell), inHome(process.execPath, WAYBILL, 'completion', shell));

/** Types into an interactive zsh and waits until it shows the word that is due, or until the time is over. */
const ZSH = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'stty columns 200; autoload -U compinit; compinit -u -D'
zpty -w z "source ./zsh; echo LOA''DED"
zpty -r z out '*LOADED*'
zpty -w -n z "$1"$'\\t\\t'
zpty -r z out "*$2*" && print -r -- "$out"
zpty -d z`;
writeFileSync(join(home.path, 'type.zsh'), ZSH);

const offers: Readonly<Record<(typeof SHELLS)[number], (line: string, due: string) => string>> = {
  bash: (line) =>
    inHome(
      'bash',
      '--norc',
      '-c',
      'source ./bash; COMP_WORDS=($1 ${2-}); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _waybill; echo "${COMPREPLY[@]}"',
      '-',
      line,
    ),
  zsh: (line, due) => inHome('zsh', '-f', 'type.zsh', line, due),
  fish: (line) => inHome('fish', '--no-config', '-c', `source ./fish; complete -C "${line}"`),
};

for (const shell of SHELLS) {
  const isThere = spawnSync(shell, ['--version']).error === undefined;
  if (!isThere) process.stderr.write(`${shell} is missing: its completion is not tested\n`);
  const test = isThere || process.env['WAYBILL_NO_SKIP'] ? it : it.skip;

  test.for([
    ['waybill ca', 'catalog'],
    ['waybill jar e', 'export'],
    ['waybill call --ti', 'timeout'],
    ['waybill check --ex', 'expect'],
  ] as const)(`${shell} completes "%s" with %s`, ([line, due]) => {
    expect(offers[shell](line, due)).toContain(due);
  });
}
