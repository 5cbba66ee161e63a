import { createInterface } from 'node:readline';
import { Failure } from '../failure.js';
import { isOn, type Run } from '../run.js';

/** Questions need a person on both sides: stdin to answer, stderr to read. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on the terminal; `undefined` if the input ends (Ctrl-D). */
export function askLine(question: string, run: Run): Promise<string | undefined> {
  run.out.isAsking = true;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = new Promise<string | undefined>((resolve, reject) => {
    let answered = false;
    // A terminal in this mode hands Ctrl-C to the reader instead of the process.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    // Without an answer the cursor is still on the line of the question.
    lines.on('close', () => {
      if (!answered) process.stderr.write('\n');
      resolve(undefined);
    });
    run.signal.addEventListener('abort', () => {
      reject(new Failure('interrupted', 'stopped'));
      lines.close();
    });
    lines.question(question, (line) => {
      answered = true;
      resolve(line);
      lines.close();
    });
  });
  return answer.finally(() => (run.out.isAsking = false));
}

/** Asks before a jar or a ledger is cleared, unless `--yes` answers. */
export async function confirmClearing(what: string, run: Run): Promise<void> {
  if (isOn(run, 'yes')) return;
  if (!canAsk()) throw new Failure('unanswered', `${run.command} clear forgets ${what}`, 'If you are sure, add --yes.');
  if (!(await askYesNo(`Forget ${what}?`, run))) throw new Failure('unanswered', 'nothing was cleared');
}

export async function askYesNo(question: string, run: Run): Promise<boolean> {
  const line = await askLine(`${question} [y/N] `, run);
  return /^\s*y(es)?\s*$/i.test(line ?? '');
}
