import { ConfigError, runGateway } from '@waybill/gateway';
import { Failure, usage } from '../failure.js';
import { isOn, type Run, textOf } from '../run.js';

/** Serves until it is stopped. Addresses and the log go to stderr: under --stdio, stdout belongs to the protocol. */
export async function run(run: Run): Promise<undefined> {
  const [url, ...more] = run.words;
  if (more.length > 0) throw usage('gateway takes one URL', 'A command stands behind "--".');
  const { stdin, stdout, stderr } = process;
  const args = {
    config: textOf(run, 'config'),
    listen: textOf(run, 'listen'),
    upstream: textOf(run, 'upstream'),
    stdio: isOn(run, 'stdio'),
    url,
    command: run.typed ?? [],
  };
  const served = runGateway(args, { stdin, stdout, stderr, env: run.env, signal: run.signal });
  // After Ctrl-C the process ends when its cleanup is done: the children of the gateway have to be gone by then.
  run.cleanup.push(() => served.catch(() => undefined));
  try {
    await served;
  } catch (error) {
    if (error instanceof ConfigError) throw usage(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Failure('usage', (error as Error).message, 'Another program listens there: choose --listen HOST:PORT.');
    throw error;
  }
}
