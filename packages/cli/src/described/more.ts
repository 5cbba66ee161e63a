/** The other commands. */
import type { CommandSpec } from '../spec.js';

export const more: Readonly<Record<string, CommandSpec>> = {
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
    pass: () => import('../commands/gateway.js'),
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
    load: () => import('../commands/range.js'),
  },
  completion: {
    about: 'a script that completes commands and options in a shell',
    words: 'bash|zsh|fish',
    groups: ['general'],
    actions: ['bash', 'zsh', 'fish'],
    examples: ['waybill completion bash', 'waybill completion fish'],
    load: () => import('../commands/completion.js'),
  },
};
