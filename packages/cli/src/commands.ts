import type { OptionGroup, OptionSpec } from './options.js';
import type { PassedOn } from './passOn.js';
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
  /** The package that has this command reads the words behind the name, prints by itself and returns the exit code. */
  readonly pass?: () => Promise<PassedOn>;
  /** Each command is imported when it is used: the command starts as fast as `--help` does. */
  readonly load?: () => Promise<{ readonly run: Command }>;
}

const TARGET = `TARGET is a URL, FILE:NAME for a server of a host's file, or the name of a server that "waybill servers" lists. With "-- COMMAND …" at
the end there is no TARGET word: the server is that command.`;

const ARGS = `ARGS: name=value (read as the tool's schema says), name:=JSON, one JSON object, @FILE, or - for stdin. Single names win over objects.`;

/** The chapters of `waybill try`, the most convincing first. */
export const CHAPTERS = ['today', 'month', 'cart', 'languages', 'question', 'trace', 'policy'] as const;

export const commands: Readonly<Record<string, CommandSpec>> = {
  try: {
    about: 'see in a minute what context changes, on real servers',
    words: '[CHAPTER…]',
    groups: ['general'],
    actions: CHAPTERS,
    details: `Chapters: ${CHAPTERS.join(', ')}. Everything runs on this machine, and nothing is left behind.`,
    examples: ['waybill try', 'waybill try cart', 'waybill try today --json'],
    load: () => import('./commands/try.js'),
  },
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
  compare: {
    about: 'the same call under several contexts, differences marked',
    words: 'TARGET TOOL [ARGS…] --as CONTEXT --as CONTEXT',
    groups: ['context', 'target', 'general'],
    options: [
      {
        flags: '--as CONTEXT',
        about: 'a city (vienna, tokyo, cairo, …), words such as "lang=ja tz=Asia/Tokyo", or both',
        many: true,
        typedOnly: true,
      },
      { flags: '--answer FILE', about: 'answers to questions of the server', typedOnly: true },
    ],
    details: `${TARGET}\n${ARGS}`,
    examples: [
      `waybill compare today --as vienna --as "lang=zh-Hant tz=Asia/Taipei" --now 2026-10-31T23:40:00Z -- waybill shop`,
      `waybill compare http://127.0.0.1:3000/mcp sales 'period=last month' --as vienna --as los-angeles --as tokyo`,
    ],
    load: () => import('./commands/compare.js'),
  },
  replay: {
    about: 'run a recorded call again; exit 1 if the answer differs',
    words: 'FILE TARGET',
    groups: ['target', 'general'],
    options: [
      { flags: '--jar FILE', about: 'the jar to use' },
      { flags: '--conversation ID', about: 'the conversation to continue; needs --jar' },
      { flags: '--principal NAME', about: 'whose call it is' },
      { flags: '--header LINE', about: 'an HTTP header: "Authorization: Bearer …"', many: true, typedOnly: true },
      { flags: '--answer FILE', about: 'answers to questions that the record does not answer', typedOnly: true },
    ],
    details: 'The target never comes from the file.',
    examples: [
      'waybill call sales "period=last month" --tz Asia/Tokyo --now 2026-10-31T23:40:00Z --record sales.json -- waybill shop',
      'waybill replay sales.json -- waybill shop',
    ],
    load: () => import('./commands/replay.js'),
  },
  doctor: {
    about: 'what a server does with each concern, the fix, and in which hosts its tools work',
    words: 'TARGET',
    groups: ['target', 'general'],
    options: [
      { flags: '--call TOOL', about: 'also call this tool; its arguments stand behind TARGET', typedOnly: true },
      { flags: '--answer FILE', about: 'answers to questions of the server', typedOnly: true },
      { flags: '--header LINE', about: 'an HTTP header: "Authorization: Bearer …"', many: true, typedOnly: true },
    ],
    details: `${TARGET}\nIt sends discovery, lists and one unknown method. Tools are called only with --call.`,
    examples: ['waybill doctor -- waybill shop', 'waybill doctor --call today -- waybill shop'],
    load: () => import('./commands/doctor.js'),
  },
  jar: {
    about: 'look at, change and clear what servers keep at this client',
    words: 'list|show|edit|export|clear [SERVER] [NAME VALUE]',
    groups: ['general'],
    options: [
      { flags: '--jar FILE', about: 'the jar' },
      { flags: '--principal NAME', about: 'whose state' },
      { flags: '--conversation ID', about: 'only the session state of this conversation' },
      { flags: '--scope SCOPE', about: 'session or server' },
      { flags: '--yes', about: 'clear without asking', typedOnly: true },
    ],
    actions: ['list', 'show', 'edit', 'export', 'clear'],
    details: 'SERVER is a name from "jar list", or a URL. VALUE is JSON; null deletes.',
    examples: [
      'waybill call add_to_cart item=tea --jar cart.db --conversation lunch -- waybill shop',
      'waybill jar list --jar cart.db',
      'waybill jar export --jar cart.db',
      'waybill jar clear --jar cart.db --yes',
    ],
    load: () => import('./commands/jar.js'),
  },
  ledger: {
    about: 'see and clear the record of what each server was told',
    words: '[list|clear] [SERVER]',
    groups: ['general'],
    options: [
      { flags: '--jar FILE', about: 'the jar that keeps the ledger' },
      { flags: '--principal NAME', about: 'whose ledger' },
      { flags: '--yes', about: 'clear without asking', typedOnly: true },
    ],
    actions: ['list', 'clear'],
    details: 'Calls with --policy FILE and --jar FILE write it. It has the names of fields, never their values.',
    examples: [
      `echo 'default: { location: never }' > policy.yaml`,
      'waybill call today --place AT/Vienna --policy policy.yaml --jar told.db -- waybill shop',
      'waybill ledger --jar told.db',
      'waybill ledger clear --jar told.db --yes',
    ],
    load: () => import('./commands/ledger.js'),
  },
  catalog: {
    about: 'texts of a server for translators: extract, check, pseudo-translate',
    words: 'extract TARGET | check FOLDER [TARGET] | pseudo TARGET',
    groups: ['target', 'general'],
    options: [
      { flags: '--default TAG', about: 'the language that is complete (default: en)' },
      { flags: '--fields WHICH', about: 'should: texts that people read; all: also those that models read (default: should)' },
      { flags: '--style STYLE', about: 'accents or mirrored, for pseudo (default: accents)' },
      { flags: '--header LINE', about: 'an HTTP header: "Authorization: Bearer …"', many: true, typedOnly: true },
    ],
    actions: ['extract', 'check', 'pseudo'],
    details: TARGET,
    examples: [
      'waybill catalog extract -- waybill shop',
      'waybill catalog check examples/shop/locales',
      'waybill catalog pseudo --style mirrored -- waybill shop',
    ],
    load: () => import('./commands/catalog.js'),
  },
  check: {
    about: 'check a server, client or gateway against every rule',
    words: 'server|client|gateway …',
    groups: [],
    options: [
      { flags: '--only CONCERNS', about: 'the rules of these concerns only' },
      { flags: '--requirement IDS', about: 'single rules' },
      { flags: '--wire WHICH', about: 'seed: the first text of the proposals' },
      { flags: '--expect CONCERNS', about: 'not taking part in these is a failure' },
      { flags: '--strict', about: 'a recommendation that is not kept is a failure' },
      { flags: '--tool NAME', about: 'a harmless tool that may be called' },
      { flags: '--args JSON', about: 'its arguments' },
      { flags: '--header LINE', about: 'an HTTP header: "Authorization: Bearer …"', many: true },
      { flags: '--timeout MS', about: 'how long to wait for one answer' },
      { flags: '--json', about: 'one JSON object on stdout' },
      { flags: '--junit FILE', about: 'JUnit XML as well' },
      { flags: '--baseline FILE', about: 'failures that are expected' },
    ],
    actions: ['server', 'client', 'gateway'],
    examples: ['waybill check server --only language -- waybill shop'],
    pass: () => import('./commands/check.js'),
  },
  gateway: {
    about: 'put rules for the five concerns in front of a server that you cannot change',
    words: 'URL | -- COMMAND | --config FILE',
    groups: [],
    options: [
      { flags: '--config FILE', about: "gateway.yaml, or a host's mcpServers file" },
      { flags: '--listen HOST:PORT', about: 'where to listen' },
      { flags: '--stdio', about: 'serve one upstream over stdin and stdout' },
      { flags: '--upstream NAME', about: 'which upstream of the configuration --stdio serves' },
      { flags: '--json', about: 'the addresses as one JSON object on stdout' },
    ],
    examples: ['waybill gateway -- waybill shop'],
    pass: () => import('./commands/gateway.js'),
  },
  completion: {
    about: 'a script that completes commands and options in a shell',
    words: 'bash|zsh|fish',
    groups: [],
    actions: ['bash', 'zsh', 'fish'],
    examples: ['waybill completion bash', 'waybill completion fish'],
    load: () => import('./commands/completion.js'),
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
      {
        flags: '--gateway URL',
        about: 'show the feed of a gateway: its admin address; the token comes from WAYBILL_TOKEN',
        typedOnly: true,
      },
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
