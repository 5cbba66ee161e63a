/** Turns whatever was thrown into one clear message with a hint and the right exit code. */
import { Failure } from './failure.js';
import { tryJson } from './tryJson.js';

interface Thrown {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly data?: unknown;
  readonly cause?: unknown;
  readonly status?: unknown;
}

/** How a network or a process fails, by the code of Node. */
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

interface Refusal {
  readonly code: number;
  readonly message?: string;
  readonly data?: unknown;
}

/** The JSON-RPC error that a server answered with. SDK v2 keeps one that came with an HTTP status as the text of the answer. */
export function refusalOf(error: unknown): Refusal | undefined {
  for (const one of chain(error)) {
    if (typeof one.code === 'number') return one as Refusal;
    const { text } = (one.data ?? {}) as { text?: unknown };
    const answer = typeof text === 'string' ? (tryJson(text) as { error?: { code?: unknown } } | null | undefined) : undefined;
    if (typeof answer?.error?.code === 'number') return answer.error as Refusal;
  }
  return undefined;
}

/** `target` is the name of the server, for the message. */
export function explain(error: unknown, target?: string): Failure {
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
  const refused = refusalOf(error);
  if (refused !== undefined) return protocolFailure(refused, at, error);
  const status = all.map((one) => one.status).find((one): one is number => typeof one === 'number');
  if (status !== undefined) return new Failure('unreachable', `${at}answers with HTTP ${status}`, HTTP[status], error);
  if (first.code === 'CONNECTION_CLOSED')
    return new Failure('unreachable', `${at}the server closed the connection`, 'Run its command by itself to see why.', error);
  if (typeof first.code === 'string' && /^[A-Z_]+$/.test(first.code))
    return new Failure(
      'protocol',
      `${at}${first.message ?? first.code}`,
      'The server does not keep to the protocol. --messages shows what it says.',
      error,
    );
  return new Failure('fault', first.message ?? String(error), 'This is a mistake of waybill. --debug shows where.', error);
}

function protocolFailure({ code, message = '', data }: Refusal, at: string, cause: unknown): Failure {
  const hint = (data as { hint?: unknown } | undefined)?.hint;
  const hints: Readonly<Record<number, string>> = {
    [-32021]: 'The request does not declare what the tool needs: see --capability.',
    [-32601]: 'The server does not have this. waybill list TARGET shows what it has.',
    [-32602]: 'The server refuses these arguments. waybill list TARGET --json shows the schema.',
  };
  const text = message.replace(/^MCP error -?\d+: /, '');
  return new Failure('protocol', `${at}error ${code}: ${text}`, typeof hint === 'string' ? hint : hints[code], cause);
}
