import type { JsonObject } from 'waybill';

/**
 * The abilities of known hosts, as data: which tools of a server work where. As their documentation says in November 2026, by two public
 * summaries of it. A capability that it does not mention counts as missing, so a host may be able to do more.
 */
export interface KnownHost {
  readonly host: string;
  readonly capabilities: JsonObject;
}

const form = { elicitation: { form: {} } };

export const KNOWN_HOSTS: readonly KnownHost[] = [
  { host: 'Claude Code', capabilities: { ...form, roots: {} } },
  { host: 'Claude Desktop', capabilities: {} },
  { host: 'Cursor', capabilities: { ...form, roots: {} } },
  { host: 'VS Code', capabilities: { ...form, sampling: {}, roots: {} } },
  { host: 'Windsurf', capabilities: {} },
  { host: 'Codex', capabilities: form },
];
