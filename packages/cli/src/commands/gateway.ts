import { runGatewayCommand } from '@waybill/gateway';
import { answered } from '../answer.js';
import { exitCodes } from '../exit.js';
import { usage } from '../failure.js';
import { Kept, type PassedIo, printFailed } from '../passOn.js';
import { beforeDashes } from '../run.js';

/** With `--json` the addresses are printed as one object when it listens; the gateway then runs on. */
export async function run(words: readonly string[], { out, signal }: PassedIo): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  if (!out.json) return runGatewayCommand(words, { stdin, stdout, stderr, env, signal });
  const own = beforeDashes(words);
  if (own.includes('--stdio')) throw usage('--json and --stdio do not go together: stdout carries the messages');
  const kept = new Kept(stderr);
  const code = await runGatewayCommand([...own.filter((word) => word !== '--json'), ...words.slice(own.length)], {
    ...{ stdin, stdout, stderr: kept, env, signal },
    onListening: (upstreams) => out.line(answered(true, 'gateway', { upstreams })),
  });
  if (code !== exitCodes.done) printFailed('gateway', code, kept.text, out);
  return code;
}
