import type { OptionGroup, OptionSpec } from './options.js';
import type { Command } from './run.js';

/** One command as data: help, completion, and the test that runs every example use this table. */
export interface CommandSpec {
  readonly about: string;
  /** The words behind the name. */
  readonly words: string;
  readonly groups: readonly OptionGroup[];
  readonly options?: readonly OptionSpec[];
  readonly details?: string;
  readonly examples: readonly string[];
  /** Words that may stand first, for completion. */
  readonly actions?: readonly string[];
  /** Each command is imported when it is used: the command starts as fast as `--help` does. */
  readonly load: () => Promise<{ readonly run: Command }>;
}

const TARGET = `TARGET is a URL, FILE:NAME for a server of a host's file, or the name of a server that "waybill servers" lists. With "-- COMMAND …" at
the end there is no TARGET word: the server is that command.`;

const ARGS = `ARGS: name=value (read as the tool's schema says), name:=JSON, one JSON object, @FILE, or - for stdin. Single names win over objects.`;

export const commands: Readonly<Record<string, CommandSpec>> = {
  list: {
    about: 'what a server offers: tools, resources, prompts',
    words: 'TARGET',
    groups: ['context', 'target', 'general'],
    options: [{ flags: '--messages', about: 'show each message, with the part of each concern marked' }],
    details: TARGET,
    examples: ['waybill list http://127.0.0.1:3000/mcp --lang de', 'waybill list -- waybill shop'],
    load: () => import('./commands/list.js'),
  },
  call: {
    about: 'call a tool under any context',
    words: 'TARGET TOOL [ARGS…]',
    groups: ['context', 'call', 'target', 'general'],
    details: `${TARGET}\n${ARGS}`,
    examples: [
      'waybill call today --lang de-AT --tz Europe/Vienna --now 2026-10-31T23:40:00Z -- waybill shop',
      `waybill call http://127.0.0.1:3000/mcp sales 'period=last month' --tz Asia/Tokyo --messages`,
      `waybill call price '{"count":3}' --lang fr --preview -- waybill shop`,
    ],
    load: () => import('./commands/call.js'),
  },
  read: {
    about: 'read a resource',
    words: 'TARGET URI',
    groups: ['context', 'call', 'target', 'general'],
    details: TARGET,
    examples: ['waybill read doc://terms --lang ar -- waybill shop'],
    load: () => import('./commands/read.js'),
  },
  prompt: {
    about: 'get a prompt',
    words: 'TARGET NAME [ARGS…]',
    groups: ['context', 'call', 'target', 'general'],
    details: `${TARGET}\n${ARGS}`,
    examples: ['waybill prompt greeting --lang zh-Hant -- waybill shop'],
    load: () => import('./commands/prompt.js'),
  },
  servers: {
    about: 'the servers found in the files of hosts, and where',
    words: '[NAME]',
    groups: ['general'],
    options: [{ flags: '--config FILE', about: 'look in this file only' }],
    details: 'The files are read and never written. Values of env, headers and queries are masked.',
    examples: ['waybill servers', 'waybill servers --json'],
    load: () => import('./commands/servers.js'),
  },
  range: {
    about: 'a phrase such as "last month" as exact instants',
    words: 'PHRASE',
    groups: ['general'],
    options: [
      { flags: '--tz ZONE', about: "the time zone (default: this machine's)" },
      { flags: '--now TIME', about: 'the moment of speaking (default: now)' },
      { flags: '--locale TAG', about: "the language of the phrase, and the week (default: this machine's)" },
      { flags: '--lang TAGS', about: 'the language of the phrase, where --locale is not given' },
      { flags: '--prefer WHICH', about: 'past or future, where a phrase leaves it open' },
    ],
    examples: [
      'waybill range "letzten Monat" --lang de --tz Europe/Vienna --now 2026-10-31T23:40:00Z',
      'waybill range "last week" --locale en-US --tz America/Los_Angeles --now 2026-10-31T23:40:00Z --json',
    ],
    load: () => import('./commands/range.js'),
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
    load: () => import('./commands/shop.js'),
  },
  inspect: {
    about: 'open a page that shows what travels with each call, and lets you change it',
    words: '[TARGET]',
    groups: ['target', 'general'],
    options: [
      { flags: '--port NUMBER', about: 'the port of the page on 127.0.0.1 (default: a free one)' },
      { flags: '--no-open', about: 'print the address and do not open a browser', typedOnly: true },
      { flags: '--header LINE', about: 'an HTTP header for the server: "Authorization: Bearer …"', many: true, typedOnly: true },
    ],
    details: `Without a TARGET the page shows the example shop. ${TARGET}`,
    examples: [
      'waybill inspect',
      'waybill inspect --no-open http://127.0.0.1:3000/mcp',
      'waybill inspect -- npx -y @modelcontextprotocol/server-everything',
    ],
    load: () => import('./commands/inspect.js'),
  },
};
