import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/freePort.mjs';

/** A Redis for one test, on a free loopback port; nothing of it outlives the test. */
export class TestRedis {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'waybill-redis-'));
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts with its earlier contents, unless it was made to forget. */
  async start(): Promise<void> {
    const child = spawn(
      'redis-server',
      ['--port', `${this.port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.#folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#child = child;
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (data: Buffer) => {
        printed += String(data);
        if (/Ready to accept connections/i.test(printed)) resolve();
      });
      child.once('exit', (code) => {
        reject(new Error(`redis-server ended with ${code}: ${printed}`));
      });
    });
  }

  /** Stops answering without closing anything, like a machine that hangs. */
  hang(): void {
    this.#child?.kill('SIGSTOP');
  }

  wake(): void {
    this.#child?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await over;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function startRedis(): Promise<TestRedis> {
  const redis = new TestRedis(await freePort());
  await redis.start();
  return redis;
}

/** True if there is one to start. If every component must be there (WAYBILL_NO_SKIP), tests fail without it. */
export const hasRedis: boolean = process.env['WAYBILL_NO_SKIP'] === '1' || spawnSync('redis-server', ['--version']).error === undefined;
if (!hasRedis) process.stderr.write('redis-server is not installed: tests that need it are skipped\n');
