/** Help of the commands that show what is kept at this client, and what servers were told. */
import type { CommandSpec } from '../spec.js';

export const keep: Readonly<Record<string, CommandSpec>> = {
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
    details:
      'SERVER is a name from "jar list", or a URL. VALUE is JSON; null deletes. The name of a typed command is its package or a digest: the command line is not stored.',
    examples: [
      'waybill call add_to_cart item=tea --jar cart.db --conversation lunch -- waybill shop',
      'waybill jar list --jar cart.db',
      'waybill jar export --jar cart.db',
      'waybill jar clear --jar cart.db --yes',
    ],
    load: () => import('../commands/jar.js'),
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
    details:
      'Calls with --policy FILE and --jar FILE write it. It has the names of fields, never their values. The name of a typed command is its package or a digest: the command line is not stored.',
    examples: [
      `echo 'default: { location: never }' > policy.yaml`,
      'waybill call today --place AT/Vienna --policy policy.yaml --jar told.db -- waybill shop',
      'waybill ledger --jar told.db',
      'waybill ledger clear --jar told.db --yes',
    ],
    load: () => import('../commands/ledger.js'),
  },
};
