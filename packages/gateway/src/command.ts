/** `waybill gateway`: from arguments to a running gateway. */
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ConfigText } from './config/load.js';
import { ConfigError } from './config/problem.js';
import { createGateway, type Gateway } from './gateway.js';

export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop: SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Called once, when the gateway listens. */
  readonly onListening?: (upstreams: readonly ListeningUpstream[]) => void;
}

export interface ListeningUpstream {
  readonly name: string;
  readonly url: string;
  readonly rules: readonly string[];
}

export const GATEWAY_USAGE = `Gives an MCP server language, time zone, state, trace and capability rules by configuration alone.

Usage: waybill gateway URL
       waybill gateway [options] -- COMMAND [ARGS…]
       waybill gateway --config FILE       gateway.yaml, or a host's mcpServers file

Options:
  --config FILE        the configuration; \${VAR} and \${VAR:-default} are filled in
  --listen HOST:PORT   where to listen (127.0.0.1:7780)
  --stdio              serve one upstream over stdin and stdout, for a desktop host
  --upstream NAME      which upstream of the configuration --stdio serves
  --help               this text

Examples:
  $ waybill gateway https://host/mcp
  $ waybill gateway -- npx -y @modelcontextprotocol/server-everything
  $ waybill gateway --config gateway.yaml
  $ waybill gateway --config .mcp.json
`;

/** Runs until the signal, or until stdin ends under --stdio. Returns the exit code. */
export async function runGatewayCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const say = (line: string): void => void io.stderr.write(`${line}\n`);
  let gateway: Gateway;
  let isPipe: boolean;
  try {
    const options = readArguments(argv);
    if (options === 'help') {
      io.stdout.write(GATEWAY_USAGE);
      return 0;
    }
    isPipe = options.stdio;
    gateway = await createGateway(configOf(options, io), { log: say });
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof TypeError) && !isFileError(error)) throw error;
    say(error.message);
    return 2;
  }
  const stopped = new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    if (isPipe) await Promise.race([gateway.pipe(io.stdin, io.stdout), stopped]);
    else {
      const base = await gateway.listen();
      for (const line of addresses(gateway, base)) say(line);
      io.onListening?.(gateway.upstreams.map(({ name, rules }) => ({ name, url: `${base}/${name}/mcp`, rules })));
      await stopped;
    }
    return 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    say(isTaken ? `The port is in use (${message}). Choose another with --listen HOST:PORT.` : message);
    return isTaken ? 2 : 1;
  } finally {
    await gateway.close();
  }
}

interface Arguments {
  readonly config: string | undefined;
  readonly listen: string | undefined;
  readonly upstream: string | undefined;
  readonly stdio: boolean;
  readonly url: string | undefined;
  readonly command: readonly string[];
}

function readArguments(argv: readonly string[]): Arguments | 'help' {
  const dashes = argv.indexOf('--');
  const command = dashes < 0 ? [] : argv.slice(dashes + 1);
  const { values, positionals } = parseArgs({
    args: [...(dashes < 0 ? argv : argv.slice(0, dashes))],
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      listen: { type: 'string' },
      upstream: { type: 'string' },
      stdio: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const [url, ...more] = positionals;
  const given = [values.config, url, command[0]].filter((one) => one !== undefined);
  if (given.length !== 1 || more.length > 0)
    throw new TypeError('Say which server: a URL, a command behind --, or --config FILE. See waybill gateway --help.');
  return { config: values.config, listen: values.listen, upstream: values.upstream, stdio: values.stdio, url, command };
}

function configOf({ config, listen, upstream, stdio, url, command }: Arguments, io: CommandIo): object {
  const over = { ...(listen !== undefined && { listen }), ...(stdio && { stdio, ...(upstream !== undefined && { upstream }) }) };
  if (config !== undefined) return new ConfigText(readFileSync(config, 'utf8'), { file: config, env: io.env, over });
  return { ...(listen !== undefined && { listen }), upstreams: { server: url === undefined ? { command } : { url } } };
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'EISDIR'].includes(String(error.code));
}

function addresses(gateway: Gateway, base: string): string[] {
  const [only, ...others] = gateway.upstreams;
  const all = gateway.upstreams.map(
    ({ name, rules }) => `${base}/${name}/mcp   ${rules.length > 0 ? rules.join(', ') : 'no rules: everything passes'}`,
  );
  return only !== undefined && others.length === 0 ? [...all, `${base}/mcp   the same`] : all;
}
