/** Raw HTTP over a socket: the server gets exactly these lines, not changed by any client. */
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Every header line, in order; names in lower case. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** The messages in it: one for JSON, each of a stream. */
  readonly messages: readonly any[];
  /** All lines of a field. */
  all(name: string): string[];
  header(name: string): string | undefined;
}

/** Sends one POST with exactly these header lines, and reads its whole answer. */
export async function post(port: number, headerLines: readonly string[], body: string, target = '/mcp'): Promise<Answer> {
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headerLines,
  ];
  const text = await exchange(port, `${head.join('\r\n')}\r\n\r\n${body}`);
  return answerIn(text);
}

function exchange(port: number, text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // Streams answer `keep-alive` in any case.
      if (isWhole(Buffer.concat(chunks))) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

function isWhole(bytes: Buffer): boolean {
  const split = bytes.indexOf('\r\n\r\n');
  if (split < 0) return false;
  const head = bytes.subarray(0, split).toString('latin1');
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= split + 4 + Number(length);
  return (
    /\r\ntransfer-encoding: *chunked/i.test(head) &&
    bytes
      .subarray(split + 4)
      .toString('latin1')
      .endsWith('0\r\n\r\n')
  );
}

function answerIn(bytes: Buffer): Answer {
  const split = bytes.indexOf('\r\n\r\n');
  const [first = '', ...rest] = bytes.subarray(0, split).toString('latin1').split('\r\n');
  const lines = rest.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const);
  const all = (name: string): string[] => lines.filter(([other]) => other === name.toLowerCase()).map(([, value]) => value);
  const raw = bytes.subarray(split + 4);
  const body = (all('transfer-encoding').includes('chunked') ? dechunked(raw) : raw).toString('utf8');
  return {
    status: Number(first.split(' ')[1]),
    lines,
    body,
    messages: messagesIn(body, all('content-type')[0] ?? ''),
    all,
    header: (name) => all(name)[0],
  };
}

function dechunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function messagesIn(body: string, type: string): any[] {
  if (type.startsWith('application/json')) return [JSON.parse(body)].flat();
  return body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
}
