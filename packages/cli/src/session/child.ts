/** Ends the process of a server when this command ends. The SDK's own `close` is not enough: a second one does not wait for the first. */
interface Started {
  start(): Promise<void>;
  readonly pid?: number | null;
}

const PATIENCE = 500;

export class Child {
  #pid: number | undefined;

  constructor(transport: object) {
    const started = transport as Started;
    const start = started.start.bind(started);
    started.start = async () => {
      await start();
      this.#pid = started.pid ?? undefined;
    };
  }

  /** Asks it to end, and ends it if it does not. */
  async stop(): Promise<void> {
    if (this.#pid === undefined || !this.#signal('SIGTERM')) return;
    const late = performance.now() + PATIENCE;
    while (performance.now() < late) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (!this.#signal(0)) return;
    }
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(this.#pid ?? NaN, signal);
    } catch {
      return false;
    }
  }
}
