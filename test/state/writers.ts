import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Jars } from '../../packages/waybill/dist/client/jar/jars.js';
import type { StateStore } from 'waybill/client/jar';

/** A host in its own process, and the writes it reported as acknowledged. */
export class Writer {
  readonly id: string;
  readonly acknowledged: number[] = [];
  readonly over: Promise<void>;
  readonly #child: ChildProcess;

  constructor(target: string, id: string, count: number) {
    this.id = id;
    const child = spawn(process.execPath, [fileURLToPath(new URL('./writer.mjs', import.meta.url)), target, id, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    let rest = '';
    child.stdout.on('data', (data: Buffer) => {
      const lines = (rest + String(data)).split('\n');
      // A line that was cut off does not count.
      rest = lines.pop() ?? '';
      this.acknowledged.push(...lines.map(Number));
    });
    this.over = new Promise((resolve) => {
      child.once('close', () => {
        resolve();
      });
    });
  }

  /** Kills it after this many reports, in the middle of the next write. */
  async killAfter(count: number, delay: number): Promise<void> {
    while (this.acknowledged.length < count && this.#child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, delay));
    this.#child.kill('SIGKILL');
    await this.over;
  }
}

/** Returns what a later host finds: the cart, and the last number under each name. */
export async function found(store: StateStore): Promise<{ cart: Set<string>; names: Map<string, unknown> }> {
  const jars = new Jars({ store, limits: { drawerItems: 256 } });
  await jars.sync!.load(jars.open('', 'shop.example.com'));
  const { values } = await jars.carry('', 'shop.example.com', jars.conversations.resume('', 'talk'));
  const carts = (values.conflicts?.session?.get('cart') ?? [values.session?.get('cart') ?? []]) as string[][];
  return { cart: new Set(carts.flat()), names: new Map(values.server) };
}

/** Every acknowledged write must be there; others may be. */
export function missing(writers: readonly Writer[], { cart, names }: { cart: Set<string>; names: Map<string, unknown> }): string[] {
  return writers.flatMap(({ id, acknowledged }) => {
    const lost = acknowledged.filter((n) => !cart.has(`${id}.${n}`)).map((n) => `${id}.${n} in the cart`);
    for (let place = 0; place < 8; place++) {
      const last = acknowledged.filter((n) => n % 8 === place).at(-1);
      if (last !== undefined && !((names.get(`${id}.${place}`) as number) >= last)) lost.push(`${id}.${place} = ${last}`);
    }
    return lost;
  });
}
