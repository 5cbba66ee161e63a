/** Everything that talks to a server once and shows the answer. */
import { ARGS, TARGET, type CommandSpec } from '../spec.js';

export const use: Readonly<Record<string, CommandSpec>> = {
  list: {
    about: 'what a server offers: tools, resources, prompts',
    words: 'TARGET',
    groups: ['context', 'target', 'general'],
    options: [{ flags: '--messages', about: 'show each message, with the part of each concern marked' }],
    details: TARGET,
    examples: ['waybill list http://127.0.0.1:3000/mcp --lang de', 'waybill list -- waybill shop'],
    load: () => import('../commands/list.js'),
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
    load: () => import('../commands/call.js'),
  },
  read: {
    about: 'read a resource',
    words: 'TARGET URI',
    groups: ['context', 'call', 'target', 'general'],
    details: TARGET,
    examples: ['waybill read doc://terms --lang ar -- waybill shop'],
    load: () => import('../commands/read.js'),
  },
  prompt: {
    about: 'get a prompt',
    words: 'TARGET NAME [ARGS…]',
    groups: ['context', 'call', 'target', 'general'],
    details: `${TARGET}\n${ARGS}`,
    examples: ['waybill prompt greeting --lang zh-Hant -- waybill shop'],
    load: () => import('../commands/prompt.js'),
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
    load: () => import('../commands/compare.js'),
  },
  replay: {
    about: 'run a recorded call again; exit 1 if the answer differs',
    words: 'FILE TARGET',
    groups: ['target', 'general'],
    options: [
      { flags: '--jar FILE', about: 'the jar to use' },
      { flags: '--conversation ID', about: 'the conversation to continue; needs --jar' },
      { flags: '--principal NAME', about: 'whose call it is' },
      { flags: '--answer FILE', about: 'answers to questions that the record does not answer', typedOnly: true },
    ],
    details: 'The target never comes from the file.',
    examples: [
      'waybill call sales "period=last month" --tz Asia/Tokyo --now 2026-10-31T23:40:00Z --record sales.json -- waybill shop',
      'waybill replay sales.json -- waybill shop',
    ],
    load: () => import('../commands/replay.js'),
  },
  servers: {
    about: 'the servers found in the files of hosts, and where',
    words: '[NAME]',
    groups: ['general'],
    options: [{ flags: '--config FILE', about: 'look in this file only' }],
    details: 'The files are read and never written. Values of env, headers and queries are masked.',
    examples: ['waybill servers', 'waybill servers --json'],
    load: () => import('../commands/servers.js'),
  },
};
