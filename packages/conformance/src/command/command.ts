/** `check` as a command: words in, report out, exit code back. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { CheckOutcome } from '../check.js';
import { compare, readBaseline, BaselineError } from '../report/baseline.js';
import { fails, fold, type Report } from '../report/fold.js';
import { junit } from '../report/junit.js';
import { counted, table } from '../report/table.js';
import { checkClient } from '../runner/checkClient.js';
import { checkGateway } from '../runner/checkGateway.js';
import { checkServer, type ServerOptions } from '../runner/checkServer.js';
import type { Reached, RunOptions } from '../runner/run.js';
import { killAll } from '../wire/child.js';
import { HELP, readWords, UsageError, type Words } from './words.js';

export interface CheckIo {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `check` with its words and returns the exit code. Reports go to stdout, progress and complaints to stderr. */
export async function runCheckCommand(argv: readonly string[], io: CheckIo = process): Promise<number> {
  try {
    const words = readWords(argv);
    if (words === undefined) {
      io.stdout.write(HELP);
      return 0;
    }
    // Read before the run, so that a wrong file is reported before the checks run.
    const baseline = words.baseline === undefined ? [] : readBaseline(readFileSync(words.baseline, 'utf8'), words.role);
    return await run(words, baseline, io);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof BaselineError || isFileError(error))) throw error;
    io.stderr.write(`waybill check: ${error.message}\nTry waybill check --help\n`);
    return 2;
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'path' in error;

async function run(words: Words, baseline: readonly string[], io: CheckIo): Promise<number> {
  const stop = new AbortController();
  const outcomes: CheckOutcome[] = [];
  const interrupt = () => {
    stop.abort();
    killAll();
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const progress = progressOn(io);
  let reached: Reached;
  try {
    const running = checkSubject(words, {
      ...words,
      signal: stop.signal,
      onStep: progress.show,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    // After Ctrl-C nobody waits for a request to a server that hangs.
    reached = await Promise.race([running, abandoned(stop.signal)]);
  } finally {
    progress.clear();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  const report = fold(nameOf(words), outcomes, words.strict, words.requirement);
  // Without a single answer every row is "not applicable" and would bury the reason, so nothing is printed.
  if (reached.revisions.length > 0 || stop.signal.aborted) print(words, report, io);
  if (stop.signal.aborted) {
    io.stderr.write(`waybill check: stopped; ${counted(report)} so far\n`);
    return 130;
  }
  if (reached.revisions.length === 0) {
    io.stderr.write(`waybill check: the ${words.role} could not be reached\n${reached.problems.map((one) => `  ${one}\n`).join('')}`);
    return 3;
  }
  return judge(words, baseline, outcomes, report, io);
}

/** Resolves a moment after the user stopped the run, so that the outcomes of finished checks can still arrive. */
const abandoned = (signal: AbortSignal): Promise<Reached> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => setTimeout(() => resolve({ revisions: [], problems: [] }), 200).unref(), { once: true });
  });

/** With a baseline, only failures that it does not name count, and entries without a failure count too. */
function judge(words: Words, baseline: readonly string[], outcomes: readonly CheckOutcome[], report: Report, io: CheckIo): number {
  if (words.baseline === undefined) return report.summary.fail > 0 ? 1 : 0;
  const selected = words.only.size > 0 || words.requirement.size > 0;
  const { unexpected, stale } = compare(
    baseline,
    outcomes,
    ({ proves, demanded }) => proves.some((id) => fails(id, words.strict, demanded)),
    selected,
  );
  for (const check of unexpected) io.stderr.write(`waybill check: ${check} fails and is not in the baseline\n`);
  for (const entry of stale) io.stderr.write(`waybill check: ${entry} is in the baseline and does not fail; remove it\n`);
  return unexpected.length + stale.length > 0 ? 1 : 0;
}

function checkSubject(words: Words, options: ServerOptions): Promise<Reached> {
  const { role, url, command, headers } = words;
  if (role === 'client') return checkClient(command, options);
  if (role === 'gateway') return checkGateway(url ?? '', command, options);
  return checkServer(url === undefined ? { command } : { url: new URL(url), headers }, options);
}

const nameOf = ({ role, url, command }: Words): string =>
  `${role} ${role === 'server' && url !== undefined ? masked(url) : command.join(' ')}`;

/** Credentials and queries do not belong into reports. */
function masked(text: string): string {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') url.username = url.password = '***';
  if (url.search !== '') url.search = '?***';
  return url.href;
}

function print(words: Words, report: Report, io: CheckIo): void {
  const colour = io.stdout.isTTY === true && (io.env['NO_COLOR'] ?? '') === '';
  if (words.json) {
    const requirements = report.requirements.map(({ mark: _mark, ...row }) => row);
    io.stdout.write(`${JSON.stringify({ ...report, requirements }, undefined, 2)}\n`);
  } else io.stdout.write(table(report, colour));
  if (words.junit !== undefined) writeFileSync(words.junit, junit(report));
}

/** One line that is written over, and only on a terminal. */
function progressOn({ stderr }: CheckIo): { show: NonNullable<RunOptions['onStep']>; clear: () => void } {
  const write = (text: string) => {
    if (stderr.isTTY === true) stderr.write(`\r\u001b[K${text}`);
  };
  return {
    show: (step, { revision, transport }) => write(`${step} (${revision}, ${transport})`),
    clear: () => write(''),
  };
}
