import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a test server that can be cut, and on which a command can be lost. */
export interface Door {
  readonly url: string;
  /** Cuts every connection. */
  drop(): void;
  /** From now on a message that contains this text is lost; resolves once one was. */
  swallow(command: string): Promise<void>;
  /** Resolves when every connection has ended. */
  stop(): Promise<void>;
}

export async function startDoor(port: number): Promise<Door> {
  const sockets = new Set<Socket>();
  let lost = (_data: string): boolean => false;
  const server = createServer((outer) => {
    const inner = connect(port, '127.0.0.1');
    sockets.add(outer);
    outer.on('data', (data) => {
      if (!lost(String(data))) inner.write(data);
    });
    outer.once('close', () => {
      sockets.delete(outer);
      inner.destroy();
    });
    outer.on('error', () => undefined);
    inner.on('error', () => undefined);
    inner.pipe(outer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    swallow: (command) =>
      new Promise((resolve) => {
        lost = (data) => {
          if (!data.toUpperCase().includes(command)) return false;
          resolve();
          return true;
        };
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
