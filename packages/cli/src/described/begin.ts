/** The first minutes: what context changes, on the example server. */
import { TARGET, type CommandSpec } from '../spec.js';

/** The chapters of `waybill try`, the most convincing first. */
export const CHAPTERS = ['today', 'month', 'cart', 'languages', 'question', 'trace', 'policy'] as const;

export const begin: Readonly<Record<string, CommandSpec>> = {
  try: {
    about: 'see in a minute what context changes, on real servers',
    words: '[CHAPTER…]',
    groups: ['general'],
    actions: CHAPTERS,
    details: `Chapters: ${CHAPTERS.join(', ')}. Everything runs on this machine, and nothing is left behind.`,
    examples: ['waybill try', 'waybill try cart', 'waybill try today --json'],
    load: () => import('../commands/try.js'),
  },
  inspect: {
    about: 'open a page that shows what travels with each call, and lets you change it',
    words: '[TARGET]',
    groups: ['target', 'general'],
    options: [
      {
        flags: '--gateway URL',
        about: 'show the feed of a gateway: its admin address; the token comes from WAYBILL_TOKEN',
        typedOnly: true,
      },
      { flags: '--port NUMBER', about: 'the port of the page on 127.0.0.1 (default: a free one)' },
      { flags: '--no-open', about: 'print the address and do not open a browser', typedOnly: true },
    ],
    details: `Without a TARGET the page shows the example shop. ${TARGET}`,
    examples: [
      'waybill inspect',
      'waybill inspect --no-open http://127.0.0.1:3000/mcp',
      'waybill inspect -- npx -y @modelcontextprotocol/server-everything',
    ],
    load: () => import('../commands/inspect.js'),
  },
  shop: {
    about: 'the example server, for trying things',
    words: '',
    groups: [],
    options: [
      { flags: '--http PORT', about: 'serve HTTP on 127.0.0.1; 0 takes a free port (default: stdio)' },
      { flags: '--sdk NAME', about: 'v1 or v2 (default: v2)' },
      { flags: '--debug', about: 'show the stack of an error' },
    ],
    examples: ['waybill list -- waybill shop'],
    load: () => import('../commands/shop.js'),
  },
};
