/** The `waybill` command: parses, runs one command, prints its answer, and ends with the exit code of the table. */
import { createRequire } from 'node:module';
import { answered, failed } from './answer.js';
import { commands } from './commands.js';
import { exitCodes } from './exit.js';
import { explain } from './explain.js';
import { Failure, named } from './failure.js';
import { cleanLine, Output } from './output.js';
import { passOn } from './passOn.js';
import { type FilledOptions, fillOptions, parse } from './program.js';
import { beforeDashes, type CommandAnswer, type Run } from './run.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

async function main(typed: readonly string[]): Promise<number> {
  // `waybill help call` is `waybill call --help`.
  const args = typed[0] === 'help' ? [...typed.slice(1, 2), '--help'] : typed;
  const own = beforeDashes(args);
  const { env } = process;
  let out = new Output(process.stdout, process.stderr, { json: own.includes('--json'), env });
  let run: Run | undefined;
  let sources: FilledOptions['sources'] = {};
  const interrupt = new AbortController();
  quietConsole(own.includes('--debug'));
  const [name = '', ...rest] = args;
  const spec = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    const pass = spec?.pass;
    if (pass !== undefined) return await passOn(await pass(), rest, interrupt, out);
    const parsed = await parse(args, version);
    if (parsed === undefined) return exitCodes.done;
    const { readOptionsFile } = await import('./optionsFile.js');
    const { options, ...filled } = fillOptions(parsed, env, await readOptionsFile(env));
    sources = filled.sources;
    out = new Output(process.stdout, process.stderr, { json: options['json'] === true, env });
    run = { ...parsed, options, out, env, cwd: process.cwd(), signal: interrupt.signal, cleanup: [], about: { issues: [] } };
    onSignals(interrupt, run, out);
    const answer = await (await parsed.spec.load?.())?.run(run);
    await cleanUp(run);
    if (answer !== undefined) print(answer, run);
    return answer?.ok === false ? exitCodes.no : exitCodes.done;
  } catch (error) {
    if (run !== undefined) await cleanUp(run);
    if (interrupt.signal.aborted) return exitCodes.interrupted;
    const failure = named(explain(error, run?.about.target, run?.about.stderr), sources);
    printFailure(failure, out, {
      command: spec && name,
      about: run?.about,
      debug: own.includes('--debug') || run?.options['debug'] === true,
    });
    return exitCodes[failure.kind];
  }
}

function print(answer: CommandAnswer, { command, about, out }: Run): void {
  if (!out.json) {
    out.data(answer.text);
    const notes = new Set(about.issues.map(({ key, problem }) => cleanLine(`note: ${key} ${problem}`)));
    for (const note of notes) out.note(out.paintNote('yellow', note));
    return;
  }
  out.line(answered(answer.ok !== false, command, answer.result, about));
}

/** The SDK prints some of its remarks with `console.debug`, which writes to stdout. */
function quietConsole(isDebug: boolean): void {
  const remark = (...words: readonly unknown[]): void => {
    if (isDebug) process.stderr.write(`${words.join(' ')}\n`);
  };
  Object.assign(console, { debug: remark, info: remark });
}

interface FailedRun {
  readonly command: string | undefined;
  readonly about: Run['about'] | undefined;
  readonly debug: boolean;
}

function printFailure(failure: Failure, out: Output, { command, about, debug }: FailedRun): void {
  if (out.json) out.line(failed(failure, command, about));
  else {
    out.note(`${out.paintNote('red', 'waybill:')} ${failure.message}`);
    if (failure.hint !== undefined) out.note(`  ${failure.hint}`);
  }
  if (debug) out.note((failure.cause as Error | undefined)?.stack ?? failure.stack ?? '');
}

async function cleanUp({ cleanup }: Run): Promise<void> {
  for (let close = cleanup.pop(); close !== undefined; close = cleanup.pop()) {
    try {
      await close();
    } catch {
      // The answer is there already, or the failure that is told: a connection that does not close well adds nothing.
    }
  }
}

/** Ctrl-C stops children first. A second one does not wait for them. */
function onSignals(interrupt: AbortController, run: Run, out: Output): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
      out.status('');
      interrupt.abort(new Failure('interrupted', 'stopped'));
      void cleanUp(run).then(() => process.exit(exitCodes.interrupted));
    });
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe went away, as `head` does.
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
});
const code = await main(process.argv.slice(2));
process.exitCode = code;
// A server's child or a pool of connections may keep the process alive; everything that had to be closed is closed.
process.stdout.write('', () => process.exit(code));
