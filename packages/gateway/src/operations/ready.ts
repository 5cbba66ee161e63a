/** `/readyz`: tells whether this gateway can do its work. */
export interface Readiness {
  readonly isReady: boolean;
  /** `ok`, or what is wrong. */
  readonly store: string;
  readonly upstreams: Readonly<Record<string, string>>;
  /** True after the order to stop. */
  readonly stopping: boolean;
}

export interface Checked {
  /** Undefined: all is well. */
  check(): Promise<string | undefined>;
}

export interface ReadyParts {
  readonly store: Checked;
  readonly upstreams: ReadonlyMap<string, Checked>;
  readonly isStopping: boolean;
}

/** Not ready: the store fails, no upstream at all can be reached, or the gateway is stopping. One broken upstream must not take the others away. */
export async function readiness({ store, upstreams, isStopping }: ReadyParts): Promise<Readiness> {
  const told = async (part: Checked): Promise<string> => (await part.check().catch((error: unknown) => String(error))) ?? 'ok';
  const [ofStore, ...all] = await Promise.all([
    told(store),
    ...[...upstreams].map(async ([name, upstream]) => [name, await told(upstream)] as const),
  ]);
  const isReached = all.some(([, state]) => state === 'ok');
  return {
    isReady: ofStore === 'ok' && isReached && !isStopping,
    store: ofStore,
    upstreams: Object.fromEntries(all),
    stopping: isStopping,
  };
}
