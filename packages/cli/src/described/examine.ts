/** Help of the commands that show what a server, or its texts, can and cannot do. */
import { TARGET, type CommandSpec } from '../spec.js';

export const examine: Readonly<Record<string, CommandSpec>> = {
  doctor: {
    about: 'what a server does with each concern, the fix, and in which hosts its tools work',
    words: 'TARGET',
    groups: ['target', 'general'],
    options: [
      { flags: '--call TOOL', about: 'also call this tool; its arguments stand behind TARGET', typedOnly: true },
      { flags: '--answer FILE', about: 'answers to questions of the server', typedOnly: true },
    ],
    details: `${TARGET}\nIt sends discovery, lists and one unknown method. Tools are called only with --call.`,
    examples: ['waybill doctor -- waybill shop', 'waybill doctor --call today -- waybill shop'],
    load: () => import('../commands/doctor.js'),
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
      { flags: '--timeout MS', about: 'how long to wait for one answer (default: 3000; 15000 for the first of a command)' },
      { flags: '--json', about: 'one JSON object on stdout' },
      { flags: '--junit FILE', about: 'JUnit XML as well' },
      { flags: '--baseline FILE', about: 'failures that are expected' },
    ],
    actions: ['server', 'client', 'gateway'],
    examples: ['waybill check server --only language -- waybill shop'],
    pass: () => import('../commands/check.js'),
  },
  catalog: {
    about: 'texts of a server for translators: extract, check, pseudo-translate',
    words: 'extract TARGET | check FOLDER [TARGET] | pseudo TARGET',
    groups: ['target', 'general'],
    options: [
      { flags: '--default TAG', about: 'the language that is complete (default: en)' },
      { flags: '--fields WHICH', about: 'should: texts that people read; all: also those that models read (default: should)' },
      { flags: '--style STYLE', about: 'accents or mirrored, for pseudo (default: accents)' },
    ],
    actions: ['extract', 'check', 'pseudo'],
    details: TARGET,
    examples: [
      'waybill catalog extract -- waybill shop',
      'waybill catalog check examples/shop/locales',
      'waybill catalog pseudo --style mirrored -- waybill shop',
    ],
    load: () => import('../commands/catalog.js'),
  },
};
