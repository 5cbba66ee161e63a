/** One configured upstream: its faces for clients of either revision. */
import type { Headers } from '../answer.js';
import type { Era, StdioTarget, UpstreamConfig } from '../config/types.js';
import type { Caller, Face } from '../face.js';
import { LegacyToModern } from '../pairs/legacyToModern.js';
import { ModernToLegacy } from '../pairs/modernToLegacy.js';
import type { HttpUpstream } from './http.js';
import { LegacyChild } from './legacyChild.js';
import { ModernChild } from './modernChild.js';
import { probe } from './probe.js';
import { Supervisor, type Children } from './supervisor.js';

export interface UpstreamOptions {
  readonly config: UpstreamConfig;
  /** Milliseconds an upstream may be silent. */
  readonly time: number;
  readonly log: (line: string) => void;
  readonly now: () => number;
}

const VERDICT_LIFE = 24 * 60 * 60 * 1000;
const MIN_VERDICT_LIFE = 10_000;
const PROBE_TIME = 10_000;

export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #supervisor: Supervisor | undefined;
  readonly #http: HttpUpstream | undefined;
  readonly #faces = new Map<string, Face>();
  #verdict: { readonly era: Promise<Era | undefined>; readonly until: number } | undefined;

  /** The HTTP client takes megabytes of memory, so only a gateway that needs it loads it. */
  static async open(options: UpstreamOptions): Promise<Upstream> {
    const { config, time } = options;
    const { name, target } = config;
    if (target.kind !== 'http') return new Upstream(options, undefined);
    const { HttpUpstream } = await import('./http.js');
    return new Upstream(options, new HttpUpstream({ name, url: target.url, credentials: target.credentials, time }));
  }

  private constructor(options: UpstreamOptions, http: HttpUpstream | undefined) {
    const { config, time, log } = options;
    this.name = config.name;
    this.#options = options;
    this.#http = http;
    const { target } = config;
    if (target.kind === 'stdio') {
      const { max, idle, ...command } = target;
      this.#supervisor = new Supervisor({ name: config.name, command, max, idle, time, log });
    }
  }

  get children(): Children {
    return this.#supervisor?.children ?? { running: 0, starts: 0 };
  }

  /** The face for a client of this revision. `canAsk`: what the client declares counts, since the upstream can come back to it. */
  async face(client: Era, caller: Caller, headers: Headers): Promise<{ readonly face: Face; readonly canAsk: boolean }> {
    const served = (await this.#era(caller, headers)) ?? client;
    const name = `${client} ${served}`;
    let face = this.#faces.get(name);
    if (face === undefined) this.#faces.set(name, (face = this.#make(client, served)));
    return { face, canAsk: this.#canAsk(served) };
  }

  /** Undefined if the upstream can be used now, or what is wrong with it. Sends nothing that a server would act on. */
  async check(): Promise<string | undefined> {
    return this.#http === undefined ? this.#supervisor?.problem : this.#http.check();
  }

  async close(): Promise<void> {
    for (const face of this.#faces.values()) face.close?.();
    await Promise.all([this.#supervisor?.close(), this.#http?.destroy()]);
  }

  #make(client: Era, served: Era): Face {
    const raw = this.#raw(served);
    if (client === served) return raw;
    if (client === 'legacy') return new LegacyToModern(this.name, raw, () => this.#forgetVerdict());
    const canAsk = this.#canAsk(served);
    return new ModernToLegacy(raw, { name: this.name, hasProcesses: this.#supervisor !== undefined, carriesQuestions: canAsk });
  }

  /** D-29, D-38: a question of a 2025 process that serves everybody has no way back to the client that declared it. */
  #canAsk(served: Era): boolean {
    const { target } = this.#options.config;
    return served === 'modern' || target.kind !== 'stdio' || target.share !== 'one';
  }

  #raw(served: Era): Face {
    if (this.#http !== undefined) return this.#http;
    const known = this.#faces.get(`${served} ${served}`);
    if (known !== undefined) return known;
    const supervisor = this.#supervisor as Supervisor;
    const { target, state } = this.#options.config;
    const { share } = target as StdioTarget;
    const face =
      served === 'modern'
        ? new ModernChild(supervisor, share ?? 'one')
        : new LegacyChild(this.name, supervisor, { share: share ?? 'connection', keepsState: state.mode === 'keep' });
    this.#faces.set(`${served} ${served}`, face);
    return face;
  }

  /** The upstream has refused a revision. True if it speaks another one than it did before. */
  async hasChanged(caller: Caller, headers: Headers): Promise<boolean> {
    const before = await this.#verdict?.era.catch(() => undefined);
    if (before === undefined || !this.#forgetVerdict()) return false;
    const after = await this.#era(caller, headers);
    return after !== undefined && after !== before;
  }

  /** A server that refuses every revision must not be probed for each request. */
  #forgetVerdict(): boolean {
    if (this.#verdict === undefined || this.#verdict.until - VERDICT_LIFE > this.#options.now() - MIN_VERDICT_LIFE) return false;
    this.#verdict = undefined;
    return true;
  }

  async #era(caller: Caller, headers: Headers): Promise<Era | undefined> {
    const { revision } = this.#options.config;
    if (revision !== 'auto') return revision;
    const now = this.#options.now();
    if (this.#verdict === undefined || this.#verdict.until < now) {
      const verdict = { era: this.#probe(caller, headers), until: now + VERDICT_LIFE };
      this.#verdict = verdict;
      const forget = (): void => {
        if (this.#verdict === verdict) this.#verdict = undefined;
      };
      verdict.era.then((era) => era ?? forget(), forget);
    }
    return this.#verdict.era;
  }

  async #probe(caller: Caller, headers: Headers): Promise<Era | undefined> {
    if (this.#http !== undefined) return probe(this.#http, this.name, caller, headers, Math.min(PROBE_TIME, this.#options.time));
    // A server may end at a question it does not know, so the process that is asked serves nobody else.
    const { target } = this.#options.config;
    const { max: _max, idle, ...command } = target as StdioTarget;
    const { log } = this.#options;
    const supervisor = new Supervisor({ name: this.name, command, max: 1, idle, time: PROBE_TIME, log: () => undefined });
    try {
      const era = await probe(new ModernChild(supervisor, 'one'), this.name, caller, {}, PROBE_TIME);
      log(`speaks ${era === 'modern' ? '2026-07-28' : '2025-11-25'}`);
      return era;
    } finally {
      void supervisor.close();
    }
  }
}
