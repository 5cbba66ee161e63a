/** `waybill gateway`: from arguments to a running gateway. */
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { nearest } from 'waybill/adapter';
import { ConfigText, loadConfig } from './config/load.js';
import { ConfigError } from './config/problem.js';
import { createGateway, type Gateway } from './gateway.js';
import type { Log } from './operations/log.js';
import { MissingPackage } from './operations/optional.js';
import { openLog } from './operations/writer.js';
import { keepReloading } from './reload.js';

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
  --config FILE        the configuration; \${VAR} and \${VAR:-default} are filled in. When the file changes, the running gateway loads it
  --check-config       check the configuration and exit: 0 if it is valid, 2 with the line and column of each problem
  --print-config       print the configuration as it is used, secrets masked; of an mcpServers file: YAML to begin with
  --listen HOST:PORT   where to listen (127.0.0.1:7780)
  --stdio              serve one upstream over stdin and stdout, for a desktop host
  --upstream NAME      which upstream of the configuration --stdio serves
  --help               this text

Signals: SIGHUP reads the file again. SIGTERM and SIGINT finish the open requests, then exit; a second signal exits at once.

Examples:
  $ waybill gateway https://host/mcp
  $ waybill gateway -- npx -y @modelcontextprotocol/server-everything
  $ waybill gateway --config gateway.yaml
  $ waybill gateway --config gateway.yaml --check-config
  $ waybill gateway --config .mcp.json --print-config
`;

/** Runs until the signal, or until stdin ends under --stdio. Returns the exit code. */
export async function runGatewayCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const say = (line: string): void => void io.stderr.write(`${line}\n`);
  let file: string | undefined;
  try {
    const options = readArguments(argv);
    if (options === 'help') {
      io.stdout.write(GATEWAY_USAGE);
      return 0;
    }
    file = options.config;
    const input = inputOf(options, io);
    if (options.print) {
      const { printConfig } = await import('./config/print.js');
      io.stdout.write(printConfig(input));
      return 0;
    }
    const config = loadConfig(input);
    if (options.check) {
      const { tryOut } = await import('./config/tryOut.js');
      await tryOut(config, say);
      io.stdout.write(`${options.config ?? 'the arguments'}: valid. Upstreams: ${config.upstreams.map(({ name }) => name).join(', ')}\n`);
      return 0;
    }
    const log = await openLog(config.log.format, io.stderr);
    const gateway = await createGateway(input, { log: (line, entry) => log(entry, line) });
    return await run(gateway, options, io, log);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof TypeError || error instanceof MissingPackage || isFileError(error))) throw error;
    // A problem in a file begins with the place in it, as editors and terminals expect.
    const from = file !== undefined && !isFileError(error) ? '' : 'waybill gateway: ';
    say(from + (isFileError(error) ? fileProblem(error) : error.message));
    return 2;
  }
}

async function run(gateway: Gateway, options: Arguments, io: CommandIo, log: Log): Promise<number> {
  const tell = (message: string): void => log({ level: 'info', message });
  const stopped = new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const watching =
    options.config === undefined ? undefined : keepReloading(gateway, (text) => inputOf(options, io, text), options.config, log);
  try {
    if (options.stdio) await Promise.race([gateway.pipe(io.stdin, io.stdout), stopped]);
    else {
      const base = await gateway.listen();
      for (const line of addresses(gateway, base)) tell(line);
      io.onListening?.(gateway.upstreams.map(({ name, rules }) => ({ name, url: `${base}/${name}/mcp`, rules })));
      await stopped;
      tell('stopping: waiting for open requests');
    }
    return 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    tell(isTaken ? `The port is in use (${message}). Choose another with --listen HOST:PORT, or \`admin.listen\`.` : message);
    return isTaken ? 2 : 1;
  } finally {
    watching?.close();
    await gateway.close(options.stdio ? 0 : gateway.config.limits.time);
    // The last lines of the log are written at the end of a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Arguments {
  readonly config: string | undefined;
  readonly listen: string | undefined;
  readonly upstream: string | undefined;
  readonly stdio: boolean;
  readonly check: boolean;
  readonly print: boolean;
  readonly url: string | undefined;
  readonly command: readonly string[];
}

const OPTIONS = {
  config: { type: 'string' },
  'check-config': { type: 'boolean', default: false },
  'print-config': { type: 'boolean', default: false },
  listen: { type: 'string' },
  upstream: { type: 'string' },
  stdio: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function readArguments(argv: readonly string[]): Arguments | 'help' {
  const dashes = argv.indexOf('--');
  const command = dashes < 0 ? [] : argv.slice(dashes + 1);
  const args = dashes < 0 ? argv : argv.slice(0, dashes);
  const unknown = args.map((word) => /^--([^=]+)/.exec(word)?.[1]).find((word) => word !== undefined && !(word in OPTIONS));
  if (unknown !== undefined) {
    const near = nearest(unknown, Object.keys(OPTIONS));
    throw new TypeError(`unknown option --${unknown}${near === undefined ? '.' : `; did you mean --${near}?`} See waybill gateway --help.`);
  }
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (values.help) return 'help';
  const [url, ...more] = positionals;
  const given = [values.config, url, command[0]].filter((one) => one !== undefined);
  if (given.length === 1 && url !== undefined && !(/^https?:/i.test(url) && URL.canParse(url)))
    throw new TypeError(
      `"${url}" is neither an address nor a command\n  waybill gateway https://host/mcp\n  waybill gateway -- ${positionals.join(' ')}`,
    );
  if (given.length !== 1 || more.length > 0)
    throw new TypeError('say which server: a URL, a command after --, or --config FILE. See waybill gateway --help.');
  const { config, listen, upstream, stdio, 'check-config': check, 'print-config': print } = values;
  return { config, listen, upstream, stdio, check, print, url, command };
}

function inputOf({ config, listen, upstream, stdio, url, command }: Arguments, { env }: CommandIo, text?: string): ConfigText | object {
  const over = { ...(listen !== undefined && { listen }), ...(stdio && { stdio }), ...(upstream !== undefined && { upstream }) };
  if (config !== undefined) return new ConfigText(text ?? readFileSync(config, 'utf8'), { file: config, env, over });
  return { ...(listen !== undefined && { listen }), upstreams: { server: url === undefined ? { command } : { url } } };
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder; name the file in it',
};

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && String(error.code) in FILE_PROBLEMS;
}

/** Only files are opened before the gateway runs: the configuration and catalogues. */
function fileProblem({ code = '', path, message }: NodeJS.ErrnoException): string {
  return `${path ?? 'the configuration'}: ${FILE_PROBLEMS[code] ?? message}`;
}

function addresses(gateway: Gateway, base: string): string[] {
  const [only, ...others] = gateway.upstreams;
  const all = gateway.upstreams.map(
    ({ name, rules }) => `${base}/${name}/mcp   ${rules.length > 0 ? rules.join(', ') : 'no rules: everything passes'}`,
  );
  return [
    ...all,
    ...(only !== undefined && others.length === 0 ? [`${base}/mcp   (the same upstream)`] : []),
    ...(gateway.admin === undefined ? [] : [`${gateway.admin}   /readyz /metrics /feed, with the token of \`admin\``]),
  ];
}
