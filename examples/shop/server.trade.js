// The business of the shop: sales, calendar, cart and tables. The data are in memory, the same for everybody and at every start.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientContext } from 'waybill/client';
import { contextOf } from 'waybill/server';
import { z } from 'zod';
import { answer } from './server.answer.js';
import { STATE } from './server.state.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The shop sells something every three hours; the amount depends on the hour alone. */
function salesBetween(start, end) {
  let [count, cents] = [0, 0];
  for (let at = Math.ceil(start / (3 * HOUR)) * 3 * HOUR; at < end; at += 3 * HOUR) {
    count += 1;
    cents += 1_000 + (((at / HOUR) * 7_919) % 9_000);
  }
  return { count, total: cents / 100 };
}

/** Every day has a delivery at 06:30 UTC, every fourth a tasting at 17:00 UTC. */
function eventsBetween(start, end) {
  const events = [];
  for (let day = Math.floor(start / DAY) * DAY; day < end; day += DAY) {
    events.push({ at: day + 6.5 * HOUR, event: 'delivery' });
    if ((day / DAY) % 4 === 0) events.push({ at: day + 17 * HOUR, event: 'tasting' });
  }
  return events.filter(({ at }) => at >= start && at < end);
}

const iso = (moment) => new Date(moment).toISOString();

/** Returns the period as instants, or an answer that asks back in one sentence. */
function periodOf(text, ctx) {
  const { environment, t } = contextOf(ctx);
  const found = environment.range(text);
  if (found?.start === undefined || found.end === undefined)
    return { unclear: { ...answer({ none: true }, t('unclear', { text })), isError: true } };
  return { found, start: found.start.epochMilliseconds, end: found.end.epochMilliseconds };
}

/** A call changes nothing, so a client may repeat it. */
export const READS = { readOnlyHint: true };

const GUESTS = {
  message: 'A table for how many?',
  requestedSchema: {
    type: 'object',
    properties: { guests: { type: 'integer', title: 'Guests', description: 'From one to twelve', minimum: 1, maximum: 12 } },
    required: ['guests'],
  },
};

export const TRADE_NEEDS = { book: { requires: { elicitation: { form: {} } } } };

export const TRADE_TOOLS = {
  today: {
    description: 'The user’s date, as the user writes it',
    annotations: READS,
    run: (_args, { ctx }) => {
      const { environment, format, t } = contextOf(ctx);
      const { now, timezone } = environment;
      const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(now.epochMilliseconds);
      return answer({ date, timezone }, t('today', { date: format.date(now.epochMilliseconds, 'full') }));
    },
  },
  sales: {
    description: 'What the shop sold in a period such as "last month", in the user’s zone',
    annotations: READS,
    input: { period: z.string() },
    run: ({ period }, { ctx }) => {
      const { found, start, end, unclear } = periodOf(period, ctx);
      if (unclear !== undefined) return unclear;
      const { format, t } = contextOf(ctx);
      const { count, total } = salesBetween(start, end);
      return answer(
        { start: iso(start), end: iso(end), count, total },
        t('sales', { count, total: format.currency(total, 'EUR'), period: format.period(found) }),
      );
    },
  },
  calendar: {
    description: 'Deliveries and tastings in a period such as "tomorrow"',
    annotations: READS,
    input: { period: z.string() },
    run: ({ period }, { ctx }) => {
      const { start, end, unclear } = periodOf(period, ctx);
      if (unclear !== undefined) return unclear;
      const { format, t } = contextOf(ctx);
      const events = eventsBetween(start, end).slice(0, 20);
      const lines = events.map(({ at, event }) => `${format.dateTime(at)}  ${t(event)}`);
      return answer({ events: events.map(({ at, event }) => ({ at: iso(at), event })) }, lines.join('\n') || t('nothing'));
    },
  },
  cart: {
    description: 'What is in the cart, which the client keeps',
    annotations: READS,
    run: (_args, { ctx }) => {
      const { format, t } = contextOf(ctx);
      const items = STATE.of(ctx)['shop/cart'].get() ?? [];
      return answer({ items }, items.length === 0 ? t('nothing') : format.list(items));
    },
  },
  book: {
    description: 'Books a table. It asks for how many, so only clients that can answer see it',
    run: async (_args, { ctx, ask }) => {
      const { display, t } = contextOf(ctx);
      const asked = await ask('guests', display.elicitation('guests', GUESTS));
      if (asked.pending !== undefined) return asked.pending;
      const guests = asked.content?.guests;
      if (guests === undefined) return { ...answer({ booked: false }, t('failed')), isError: true };
      return answer({ booked: true, guests }, t('booked', { guests }));
    },
  },
  stock: {
    description: 'How much is in stock. With `at`, asks the next shop at these addresses, as a shop asks its warehouse',
    input: { at: z.array(z.url()).max(5).optional() },
    run: async ({ at = [] }, { ctx }) => {
      const { trace, t } = contextOf(ctx);
      const started = Date.now();
      const behind = at.length === 0 ? { stock: 42, hops: [] } : await askNext(at, trace.carrier());
      const hop = { parent: trace.parent ?? null, started, ended: Date.now() };
      return answer({ stock: behind.stock, hops: [hop, ...behind.hops] }, t('stock', { count: behind.stock }));
    },
  },
};

/** A client of its own, whose calls continue the trace of the caller. Loopback only: an example must not be a way into a network. */
async function askNext([url, ...at], trace) {
  if (new URL(url).hostname !== '127.0.0.1') throw new Error('stock: "at" has to be on 127.0.0.1');
  const client = new Client({ name: 'shop', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(clientContext({ trace, environment: null }).attach(new StreamableHTTPClientTransport(new URL(url))));
  try {
    return (await client.callTool({ name: 'stock', arguments: { at } })).structuredContent;
  } finally {
    await client.close();
  }
}
