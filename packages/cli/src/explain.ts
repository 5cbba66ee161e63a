/** Turns whatever was thrown into one clear message with a hint and the right exit code. */
import { pathsOf } from './differences.js';
import { Failure } from './failure.js';
import { cleanLine } from './output.js';
import { tryJson } from './tryJson.js';

interface Thrown {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly data?: unknown;
  readonly cause?: unknown;
  readonly status?: unknown;
}

/** The failures of networks and processes, by the code of Node. */
const CONNECTION: Readonly<Record<string, readonly [string, string]>> = {
  ECONNREFUSED: ['nothing listens there (connection refused)', 'Start the server, or check the port.'],
  ENOTFOUND: ['no such host is known', 'Check the name of the host.'],
  EAI_AGAIN: ['the name of the host could not be looked up', 'Check the name of the host and the network.'],
  ECONNRESET: ['the connection was cut', 'The server ended, or something between closed the connection.'],
  EPIPE: ['the server closed its input', 'The server ended. Run its command by itself to see why.'],
  EHOSTUNREACH: ['the host cannot be reached', 'Check the address and the network.'],
  ENETUNREACH: ['the network cannot be reached', 'Check the address and the network.'],
  ETIMEDOUT: ['the connection could not be made in time', 'Check the address and the network.'],
  UND_ERR_CONNECT_TIMEOUT: ['the connection could not be made in time', 'Check the address and the network.'],
  UND_ERR_SOCKET: ['the connection was cut', 'The server ended, or it does not speak HTTP.'],
  HPE_INVALID_CONSTANT: ['what answers there does not speak HTTP', 'Check the port.'],
  ENOENT: ['the command was not found', 'Check its spelling, or give the whole path.'],
  EACCES: ['the command may not be run', 'Make the file executable, or start it with its program: -- node FILE'],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Ask whoever runs the server.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', 'Set NODE_EXTRA_CA_CERTS to the certificate that signs it.'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['what answers there does not speak TLS', 'Did you mean http:// instead of https://?'],
};

const HTTP: Readonly<Record<number, string>> = {
  401: 'The server wants to know who you are: --header "Authorization: Bearer …".',
  403: 'The server refuses this caller. Check --header.',
  404: 'No MCP server is at this path. Many are at /mcp.',
  405: 'No MCP server is at this path. Many are at /mcp.',
  406: 'What answers there is not a Streamable HTTP server.',
  415: 'What answers there is not a Streamable HTTP server.',
  429: 'The server has had too many requests. Wait a little.',
  ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [status, 'It sends callers to another address. Use that one.'])),
  ...Object.fromEntries(
    [500, 502, 503, 504].map((status) => [status, 'The server, or something in front of it, is broken. Look into its log.']),
  ),
};

/** The error and everything it was caused by. SDK v2 keeps the cause in `data`. */
function* chain(error: unknown): Generator<Thrown> {
  let one: unknown = error;
  for (let depth = 0; typeof one === 'object' && one !== null && depth < 8; depth++) {
    const thrown = one as Thrown;
    yield thrown;
    one = thrown.cause ?? (thrown.data as Thrown | undefined)?.cause;
  }
}

/** The end of what a command wrote to its stderr. */
export function saidHint(stderr: string): string {
  // The error itself, without the stack around it.
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line));
  const error = lines.findLast((line) => /^\w*(?:Error|Exception)\b.*:/.test(line));
  const said = cleanLine(error ?? lines.slice(-5).join('\n')).slice(-400);
  return said === '' ? 'Run it by itself to see why.' : `It said: ${said}`;
}

interface RpcError {
  readonly code: number;
  readonly message?: string;
  readonly data?: unknown;
}

/** The JSON-RPC error that a server answered with. SDK v2 keeps one that came with an HTTP status as the text of the answer. */
export function rpcErrorOf(error: unknown): RpcError | undefined {
  for (const one of chain(error)) {
    if (typeof one.code === 'number') return one as RpcError;
    const { text } = (one.data ?? {}) as { text?: unknown };
    const answer = typeof text === 'string' ? (tryJson(text) as { error?: { code?: unknown } } | null | undefined) : undefined;
    if (typeof answer?.error?.code === 'number') return answer.error as RpcError;
  }
  return undefined;
}

/** `target` is the name of the server, for the message. */
export function explain(error: unknown, target?: string, stderr = ''): Failure {
  if (error instanceof Failure) return error;
  const at = target === undefined ? '' : `${target}: `;
  const all = [...chain(error)];
  const first = all[0] ?? { message: String(error) };
  if (all.some(({ name, code }) => name === 'TimeoutError' || code === 'REQUEST_TIMEOUT'))
    return new Failure(
      'timeout',
      `${at}no answer came in time`,
      'Give it more with --timeout SECONDS, or see what it does with --debug.',
      error,
    );
  for (const { code } of all) {
    const known = typeof code === 'string' ? CONNECTION[code] : undefined;
    if (known !== undefined) return new Failure('unreachable', `${at}${known[0]}`, known[1], error);
  }
  if (all.some(({ message }) => message === 'bad port'))
    return new Failure('unreachable', `${at}fetch never uses this port`, 'Serve on another one.', error);
  const refused = rpcErrorOf(error);
  if (refused !== undefined) return protocolFailure(refused, at, error);
  const status = all.map((one) => one.status).find((one): one is number => typeof one === 'number');
  if (status !== undefined) return new Failure('unreachable', `${at}answers with HTTP ${status}`, HTTP[status], error);
  if (first.code === 'CONNECTION_CLOSED')
    return new Failure('unreachable', `${at}the server ended before it answered`, saidHint(stderr), error);
  if ((typeof first.code === 'string' && /^[A-Z_]+$/.test(first.code)) || first.name === 'ZodError') {
    const [said, hint] = brokenProtocol(first.message ?? String(first.code));
    return new Failure('protocol', `${at}${said}`, hint, error);
  }
  return new Failure('fault', first.message ?? String(error), 'This is a mistake of waybill. --debug shows where.', error);
}

/** The flags that declare what a refused tool needs. */
function capabilityHint(data: unknown): string {
  const { requiredCapabilities = {} } = (data ?? {}) as { requiredCapabilities?: object };
  return `The request has to declare it: ${
    pathsOf(requiredCapabilities)
      .map((name) => `--capability ${cleanLine(name)}`)
      .join(' ') || 'see --capability'
  }`;
}

/** The SDK's own words name its parts. These say what the server did. */
function brokenProtocol(message: string): [said: string, hint: string] {
  const [, type] = /Unexpected content type: ([^\s)]+)/.exec(message) ?? [];
  if (type !== undefined) return [`answers with ${cleanLine(type)}, and not with a message`, HTTP[404] ?? ''];
  const hint = 'The server does not keep to the protocol. --messages shows what it says.';
  if (/in JSON at position|is not valid JSON/.test(message)) return ['answers with a text that is not JSON', hint];
  const misfit = misfitIn(message);
  if (misfit !== undefined) return [`answers with a message that does not fit the protocol${misfit}`, hint];
  return [cleanLine(message.replace(/^Version negotiation probe failed: /, '')).slice(0, LONGEST), hint];
}

/** The first thing that a check of the SDK found wrong: ": content: expected array, received string". */
function misfitIn(message: string): string | undefined {
  const found = tryJson(message.slice(Math.max(0, message.indexOf('['))));
  if (!Array.isArray(found)) return undefined;
  const [{ path = [], message: problem = '' } = {}] = found as { path?: string[]; message?: string }[];
  const said = [path.join('.'), problem.replace(/^Invalid input:? ?/, '')].filter((part) => part !== '').join(': ');
  return said === '' ? '' : `: ${cleanLine(said)}`;
}

const LONGEST = 300;

function protocolFailure({ code, message = '', data }: RpcError, at: string, cause: unknown): Failure {
  const hint = (data as { hint?: unknown } | undefined)?.hint;
  const hints: Readonly<Record<number, string>> = {
    [-32021]: capabilityHint(data),
    [-32601]: 'The server does not have this. waybill list TARGET shows what it has.',
    [-32602]: 'The server refuses these arguments. waybill list TARGET --json shows the schema.',
  };
  const text = cleanLine(message.replace(/^MCP error -?\d+: /, '')).slice(0, LONGEST);
  return new Failure('protocol', `${at}error ${code}: ${text}`, typeof hint === 'string' ? hint : hints[code], cause);
}
