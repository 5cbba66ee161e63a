// @ts-check
/**
 * The knowledge of each room. A room is the first folder below `packages/waybill/src`, `entry` what lies beside the rooms, and every
 * other package is a room of its own. A new room, edge or dependency is a decision: it is written here, with its reason in `docs/decisions/`.
 *
 * `rooms`: which other rooms it imports. `packages`: which packages, by the path they may be imported from. `node`: whether all of it runs on
 * Node; `spells`: whether it has wire spellings of its own. Elsewhere only `node/` folders and `node*.ts` files touch Node's own modules.
 *
 * @typedef {{ rooms: readonly string[], packages?: Readonly<Record<string, RegExp>>, node?: boolean, spells?: boolean }} Room
 * @type {Readonly<Record<string, Room>>}
 */
export const rooms = {
  entry: { rooms: ['transport', 'wire'] },
  adapter: { rooms: ['client', 'server', 'transport', 'wire'] },
  wire: { rooms: [], packages: { '@formatjs/intl-localematcher': /\/wire\/language(?:\.ts|[/-])/ } },
  transport: { rooms: ['wire'] },
  hosts: { rooms: [], packages: { tldts: /\/hosts\// } },
  time: { rooms: [], packages: {} },
  client: {
    rooms: ['transport', 'wire'],
    packages: { '#policy': /\/client\/context\.ts$/, libsql: /\/client\/node/, ioredis: /\/client\/node/, yaml: /\/client\/node/ },
  },
  server: {
    rooms: ['transport', 'wire'],
    packages: { '@formatjs/icu-messageformat-parser': /\/server\/localise\//, 'intl-messageformat': /\/server\/localise\// },
  },
  otel: { rooms: ['transport', 'wire'], packages: { '@opentelemetry/api': /\/otel\// } },
  testing: { rooms: ['server', 'transport', 'wire'] },
  gateway: { rooms: ['adapter', 'client', 'entry', 'hosts', 'otel', 'server'], node: true },
  // The kit checks the library, so it keeps its own copy of every spelling.
  conformance: { rooms: [], node: true, spells: true },
  // The page shares the types of its messages with its server in `cli`, and takes catalogues from `server`.
  inspector: {
    rooms: ['adapter', 'cli', 'entry', 'server'],
    packages: { preact: /^packages\/inspector\//, '@preact/signals': /^packages\/inspector\// },
  },
  cli: { rooms: ['adapter', 'client', 'conformance', 'entry', 'gateway', 'hosts', 'server', 'time'], node: true },
};

export const concerns = ['language', 'environment', 'state', 'trace', 'capabilities'];

/**
 * Wire spellings occur only in `wire/`: a literal that contains one of the first or is one of the second, a property that is one of the
 * third.
 */
export const spellings = {
  parts: ['io.modelcontextprotocol/', 'modelcontextprotocol.io/', 'dev.waybill/'],
  words: [
    ...['clientContext', 'currentTimestamp', 'userLocation', 'acceptLanguage', 'contentLanguage'],
    ...['requiredCapabilities', 'whenCapabilitiesUnavailable', 'traceparent', 'tracestate'],
  ],
  properties: ['currentTimestamp', 'userLocation'],
};

/** Clock, randomness and I/O: `wire/` gets what it needs of them as arguments. */
export const impure = {
  globals: [
    'process',
    'performance',
    'crypto',
    'fetch',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'console',
    'localStorage',
  ],
  members: ['Math.random', 'Date.now', 'Temporal.Now'],
};
