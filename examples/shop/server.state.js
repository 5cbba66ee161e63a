// The state that the shop keeps at its clients, and the tools that show it.
import { contextOf, defineState } from 'waybill/server';
import { nodeSeal } from 'waybill/server/node';
import { z } from 'zod';
import { answer } from './server.answer.js';

const COUNTER = 'shop/counter';
const CART = 'shop/cart';

// Replicas share the key; a real server reads it from its secrets.
const keys = [process.env['SHOP_KEY'] ?? 'for trying things out, never for anything real'];

export const STATE = defineState(
  {
    [COUNTER]: { scope: 'session', schema: z.number().int().nonnegative() },
    // Parallel calls each add to the cart they received; the next call gets one merged cart.
    [CART]: {
      scope: 'session',
      schema: z.array(z.string()),
      merge: (carts) => [...new Set(carts.flatMap((cart) => cart ?? []))],
      sealed: false,
    },
  },
  { seal: nodeSeal({ keys, audience: 'shop' }) },
);

const place = { scope: z.enum(['session', 'server']), name: z.string() };

export const STATE_TOOLS = {
  set_state: {
    description: 'Keeps a value at the client, under any name',
    input: { ...place, value: z.json() },
    run: ({ scope, name, value }, { ctx }) => {
      const names = contextOf(ctx).state[scope];
      return answer({ set: value === null ? names.delete(name) : names.set(name, value) });
    },
  },
  delete_state: {
    description: 'Takes a name back',
    input: place,
    run: ({ scope, name }, { ctx }) => answer({ deleted: contextOf(ctx).state[scope].delete(name) }),
  },
  sealed_counter: {
    description: 'One more each time; the client keeps the count and cannot change it',
    run: (_args, { ctx }) => {
      const counter = STATE.of(ctx)[COUNTER];
      const value = (counter.get() ?? 0) + 1;
      counter.set(value);
      return answer({ value });
    },
  },
  add_to_cart: {
    description: 'Adds to a cart that the client keeps, also when many calls add at once',
    input: { item: z.string() },
    run: ({ item }, { ctx }) => {
      const cart = STATE.of(ctx)[CART];
      const items = [...new Set([...(cart.get() ?? []), item])];
      cart.set(items);
      return answer({ items });
    },
  },
};

/** Returns all state that a handler sees, by scope. */
export function seenState(state) {
  const scope = (names) => Object.fromEntries(names.names().map((name) => [name, names.get(name)]));
  const defined = [COUNTER, CART].filter((name) => state[name]?.get() !== undefined).map((name) => [name, state[name].get()]);
  return { available: state.available, session: { ...scope(state.session), ...Object.fromEntries(defined) }, server: scope(state.server) };
}
