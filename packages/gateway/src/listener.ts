/** A `node:http` server that can stop without breaking off what it is answering. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Listener {
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  #isStopping = false;
  #whenDone: (() => void) | undefined;
  #url: string | undefined;

  constructor(handle: RequestListener) {
    this.#server = createServer((request: IncomingMessage, response: ServerResponse) => {
      this.#open.add(response);
      response.once('close', () => {
        this.#open.delete(response);
        // Its connection must not bring another request.
        if (this.#isStopping) this.#server.closeIdleConnections();
        if (this.#open.size === 0) this.#whenDone?.();
      });
      if (this.#isStopping) response.setHeader('connection', 'close');
      handle(request, response);
    });
    // Streams may be silent for long; slow bodies are limited by the edge.
    this.#server.requestTimeout = 0;
    this.#server.keepAliveTimeout = 65_000;
  }

  /** The base URL, once it listens. */
  get url(): string | undefined {
    return this.#url;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const shown = host.includes(':') ? `[${host}]` : host;
    return (this.#url = `http://${shown}:${(this.#server.address() as AddressInfo).port}`);
  }

  /** Takes no new connection, waits at most `grace` milliseconds for the answers under way, and ends all connections. */
  async close(grace: number): Promise<void> {
    this.#isStopping = true;
    if (this.#url === undefined) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    if (grace > 0 && this.#open.size > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, grace);
        this.#whenDone = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#server.closeAllConnections();
    await closed;
  }
}
