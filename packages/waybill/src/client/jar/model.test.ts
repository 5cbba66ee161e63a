import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../wire/json.js';
import type { StateScope, StateValues } from '../../wire/state.js';
import type { JarConversation } from './conversations.js';
import { Jars, type StateTicket } from './jars.js';
import { memoryStore } from './memory.js';
import type { StateStore } from './store.js';

/**
 * Random histories of servers, principals, conversations, parallel calls, forks, ends, clears, store faults, and crashes of one of several
 * hosts that share a store. Every value says where it was set; a request may only carry values that were set for it.
 */

const SERVERS = ['a.example', 'b.example', 'www.a.example', '__proto__'];
const PRINCIPALS = ['', 'ann', 'bob'];
const NAMES = ['cart', 'plain', '__proto__'];
const MERGES = new Set(['cart']);

/** A value and where it was set. */
interface Token {
  readonly server: string;
  readonly principal: string;
  readonly scope: StateScope;
  readonly conversation: string | null;
  /** When the request was sent whose answer set it. */
  readonly request: number;
}

interface Talk {
  readonly principal: string;
  readonly id: string;
  /** Its own id and those of the conversations it was forked from: it may carry their state. */
  readonly lineage: ReadonlySet<string>;
  /** When it ended. */
  ended: number;
}

interface Request {
  readonly ticket: StateTicket;
  readonly host: number;
  readonly talk: Talk | undefined;
  readonly number: number;
}

/** A store that sometimes fails, or does its work and then fails to answer. */
function unreliable(store: StateStore, fails: () => 'no' | 'before' | 'after'): StateStore {
  const through =
    <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const how = fails();
      if (how === 'before') throw new Error('gone');
      const result = await run(...args);
      if (how === 'after') throw new Error('gone');
      return result;
    };
  return { ...store, load: through(store.load), save: through(store.save), end: through(store.end) };
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('send' as const), server: fc.nat(3), principal: fc.nat(2), talk: fc.nat(5) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('answer' as const),
      which: fc.nat(7),
      scope: fc.constantFrom<StateScope>('session', 'server'),
      name: fc.constantFrom(...NAMES),
      remove: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('begin' as const), principal: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('fork' as const), talk: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('end' as const), talk: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('crash' as const), host: fc.nat(1) }) },
);

async function play(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[], hosts: number, faults: readonly number[]) {
  const shared = memoryStore();
  let turn = 0;
  let calm = false;
  const fails = (): 'no' | 'before' | 'after' =>
    calm ? 'no' : (['no', 'no', 'before', 'after'] as const)[faults[turn++ % faults.length] ?? 0]!;
  const host = () => new Jars({ ...(hosts > 0 && { store: unreliable(shared, fails) }), storeTimeout: 1_000 });
  const jars = Array.from({ length: Math.max(1, hosts) }, host);
  const talks: Talk[] = PRINCIPALS.map((principal) => fresh(principal, jars[0]!.conversations.begin(principal).id));
  const open: Request[] = [];
  let number = 0;

  function fresh(principal: string, id: string, from?: Talk): Talk {
    return { principal, id, lineage: new Set([id, ...(from?.lineage ?? [])]), ended: Infinity };
  }
  const held = (at: number, talk: Talk): JarConversation => jars[at]!.conversations.resume(talk.principal, talk.id);

  function check(values: StateValues, server: string, principal: string, talk: Talk | undefined): void {
    for (const scope of ['session', 'server'] as const) {
      const all = [...(values[scope]?.values() ?? []), ...[...(values.conflicts?.[scope]?.values() ?? [])].flat()];
      for (const value of all as unknown as (Token | null)[]) {
        if (value === null) continue;
        expect(value).toMatchObject({ server, principal, scope });
        if (scope === 'session') {
          expect(talk!.lineage.has(value.conversation!)).toBe(true);
          // A host that does not know yet that a conversation has ended starts it empty.
          if (talk!.ended < Infinity) expect(value.request).toBeGreaterThan(talk!.ended);
        }
      }
    }
  }

  for (const one of steps) {
    const at = number++ % jars.length;
    const talk = 'talk' in one ? talks[one.talk % talks.length] : undefined;
    if (one.op === 'send') {
      const principal = talk?.principal ?? PRINCIPALS[one.principal]!;
      const server = SERVERS[one.server]!;
      const { values, ticket } = await jars[at]!.carry(principal, server, talk && held(at, talk));
      check(values, server, principal, talk);
      open.push({ ticket, host: at, talk, number });
    } else if (one.op === 'answer') {
      const [request] = open.splice(one.which % Math.max(1, open.length), 1);
      if (!request) continue;
      const { server, principal } = request.ticket;
      const conversation = one.scope === 'session' ? (request.talk?.id ?? null) : null;
      const token: Token = { server, principal, scope: one.scope, conversation, request: request.number };
      void jars[request.host]!.apply(
        request.ticket,
        { [one.scope]: new Map([[one.name, one.remove ? null : (token as unknown as Json)]]) },
        MERGES,
      );
    } else if (one.op === 'begin') {
      const principal = PRINCIPALS[one.principal]!;
      talks.push(fresh(principal, jars[at]!.conversations.begin(principal).id));
    } else if (one.op === 'fork' && talk && talk.ended === Infinity) {
      const child = await held(at, talk)
        .fork()
        .catch(() => undefined);
      if (child) talks.push(fresh(talk.principal, child.id, talk));
    } else if (one.op === 'end' && talk) {
      talk.ended = Math.min(talk.ended, number);
      // The conversation ends here at once, and in the other host when the store has it.
      await held(at, talk)
        .end()
        .catch(() => undefined);
      calm = true;
      await jars[at]!.sync?.flush();
      calm = false;
    } else if (one.op === 'flush') {
      for (const host of jars) await host.sync?.flush().catch(() => undefined);
    } else if (one.op === 'crash' && hosts > 0) {
      const which = one.host % jars.length;
      jars[which] = host();
      for (let i = open.length - 1; i >= 0; i--) if (open[i]!.host === which) open.splice(i, 1);
    }
  }
  calm = true;
  return {
    jars,
    talks,
    check,
    held,
    settle: async () => {
      for (let round = 0; round < 4; round++)
        for (const host of jars) {
          for (const drawer of host.drawers()) drawer.warm = false;
          await host.sync?.flush();
        }
    },
  };
}

const histories = [fc.array(step, { minLength: 10, maxLength: 60 }), fc.array(fc.nat(3), { minLength: 1, maxLength: 8 })] as const;

describe('no state of one server, principal or ended conversation reaches another', () => {
  it('STATE-30: in one host without a store', async () => {
    await fc.assert(
      fc.asyncProperty(...histories, async (steps, faults) => {
        const { jars, talks, check, held } = await play(steps, 0, faults);
        for (const talk of talks)
          for (const server of SERVERS) {
            const { values } = await jars[0]!.carry(talk.principal, server, held(0, talk));
            check(values, server, talk.principal, talk);
          }
      }),
      { numRuns: 150 },
    );
  });

  it('STATE-40: in two hosts that share a store which sometimes fails', async () => {
    await fc.assert(
      fc.asyncProperty(...histories, async (steps, faults) => {
        const { jars, talks, check, held, settle } = await play(steps, 2, faults);
        await settle();
        for (let at = 0; at < jars.length; at++)
          for (const talk of talks)
            for (const server of SERVERS) {
              const { values } = await jars[at]!.carry(talk.principal, server, held(at, talk));
              check(values, server, talk.principal, talk);
            }
      }),
      { numRuns: 100 },
    );
  });

  it('D-23: in the end both hosts have the same state', async () => {
    await fc.assert(
      fc.asyncProperty(...histories, async (steps, faults) => {
        const { jars, talks, held, settle } = await play(steps, 2, faults);
        await settle();
        for (const talk of talks)
          for (const server of SERVERS) {
            const [one, other] = await Promise.all(
              [0, 1].map(async (at) => {
                await jars[at]!.sync!.load(jars[at]!.open(talk.principal, server));
                return (await jars[at]!.carry(talk.principal, server, held(at, talk))).values;
              }),
            );
            expect(sorted(one!)).toEqual(sorted(other!));
          }
      }),
      { numRuns: 100 },
    );
  });
});

function sorted({ session, server, conflicts }: StateValues): unknown {
  const plain = (map: ReadonlyMap<string, unknown> | undefined) => [...(map ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return [session, server, conflicts?.session, conflicts?.server].map(plain);
}

describe('a name that the server merges', () => {
  /** Each call adds one item to what it received, merged by union, like the cart of the journeys, on one clock. */
  it('D-08: no value is lost for any order of calls and answers over two hosts', async () => {
    const call = fc.record({ host: fc.nat(1), answer: fc.nat(9), flush: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 40 }), async (calls) => {
        const store = memoryStore();
        const jars = [new Jars({ store }), new Jars({ store })];
        const open: { host: number; ticket: StateTicket; cart: string[] }[] = [];
        const added = new Set<string>();
        const union = (values: StateValues): string[] => [
          ...new Set([...(values.conflicts?.server?.get('cart') ?? [values.server?.get('cart') ?? []])].flat() as string[]),
        ];
        const answer = ({ host, ticket, cart }: (typeof open)[number]) =>
          jars[host]!.apply(ticket, { server: new Map([['cart', cart]]) }, MERGES);
        for (const [at, { host, answer: which, flush }] of calls.entries()) {
          const { values, ticket } = await jars[host]!.carry('', 'shop.example', undefined);
          added.add(`item ${at}`);
          open.push({ host, ticket, cart: [...union(values), `item ${at}`] });
          const next = open[which];
          if (next) {
            open.splice(which, 1);
            void answer(next);
          }
          if (flush) await jars[host]!.sync!.flush();
        }
        for (const request of open) void answer(request);
        for (let round = 0; round < 3; round++)
          for (const host of jars) {
            for (const drawer of host.drawers()) drawer.warm = false;
            await host.sync!.flush();
          }
        for (const host of jars) {
          const { values } = await host.carry('', 'shop.example', undefined);
          expect(new Set(union(values))).toEqual(added);
        }
      }),
      { numRuns: 150 },
    );
  });
});
