/** Jars with the rules of the command: which servers may keep state, and how they are told apart. */
import { existsSync } from 'node:fs';
import type { ClientState, JarOptions } from 'waybill/client/jar';
import type { StdioNames } from 'waybill/client/node';
import { reasonOf } from '../json.js';
import { usage } from '../failure.js';
import { type Run, textOf } from '../run.js';
import type { Target } from '../target/target.js';

/** The jar that `--jar FILE` names, for calls: a new file becomes a new jar. */
export async function jarOf(run: Run, target: Target): Promise<ClientState | undefined> {
  const file = textOf(run, 'jar');
  if (file !== undefined) return jarIn(file, target);
  if (textOf(run, 'conversation') !== undefined) throw usage('--conversation needs --jar FILE', 'Without a jar nothing is kept.');
  return undefined;
}

/** The jar that `--jar FILE` names, for commands that look into it: it has to exist. */
export async function existingJar(run: Run, server?: URL): Promise<ClientState> {
  const file = textOf(run, 'jar');
  if (file === undefined) throw usage('no jar is named', 'Write --jar FILE, or set WAYBILL_JAR.');
  if (!existsSync(file)) throw usage(`${file}: there is no such file`);
  run.about.target = file;
  return jarIn(file, server);
}

async function jarIn(file: string, target: Target | URL | undefined): Promise<ClientState> {
  await checkFile(file);
  const { sqliteStore } = await import('waybill/client/node');
  return jarWith({ store: sqliteStore(file), durability: 'strict' }, target);
}

/** A jar that ends with the command. */
export const jarInMemory = (target: Target): Promise<ClientState> => jarWith({}, target);

async function jarWith(options: JarOptions, target: Target | URL | undefined): Promise<ClientState> {
  const [{ jar }, { stdioIdentity }, hosts] = await Promise.all([
    import('waybill/client/jar'),
    import('waybill/client/node'),
    import('waybill/hosts'),
  ]);
  const url = target instanceof URL ? target : target?.kind === 'http' ? target.url : undefined;
  const isNamed = url !== undefined && !hosts.isAllowedStateHost(url.href);
  return jar({
    ...options,
    hosts,
    stdio: isTyped(target) ? namedWithoutShell(stdioIdentity()) : stdioIdentity(),
    // The user typed this host. Servers of one machine are told apart by their ports.
    ...(isNamed && { allowHosts: [url.hostname], partition: 'origin' as const }),
  });
}

const isTyped = (target: Target | URL | undefined): boolean =>
  target !== undefined && !(target instanceof URL) && target.kind === 'command' && target.env === undefined;

/** Variables that load other code into a command. */
const LOADING = /^(NODE_OPTIONS|NODE_PATH|LD_|DYLD_|PYTHON|RUBY|PERL)/;

/** A typed command inherits every variable of the shell. Most differ from one window to the next, and must not name another server. */
function namedWithoutShell(nameOf: Required<StdioNames> & StdioNames): StdioNames {
  const named: StdioNames = ({ env = {}, ...command }) =>
    nameOf({ ...command, env: Object.fromEntries(Object.entries(env).filter(([name]) => LOADING.test(name))) });
  return Object.assign(named, { packageOf: nameOf.packageOf });
}

/** A file of another program must not be taken for a damaged jar, which the store would move aside. */
async function checkFile(file: string): Promise<void> {
  const { open } = await import('node:fs/promises');
  let start: string;
  try {
    const handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    await handle.close();
    start = buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw usage(`${file}: ${reasonOf(error)}`);
  }
  if (start !== '' && !start.startsWith('SQLite format 3'))
    throw usage(`${file}: is not a jar`, 'A jar is made by --jar FILE with a new name.');
}
