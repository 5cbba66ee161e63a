import type { JsonObject } from 'waybill';

/**
 * The abilities of known hosts, as data: which tools of a server work where. Each row says what the host's own document says, or its source where
 * that is public. A capability that a document does not mention counts as missing, so a host may be able to do more.
 */
export interface KnownHost {
  readonly host: string;
  readonly capabilities: JsonObject;
  /** The document of the host itself. */
  readonly source: string;
  /** The month in which it said so. */
  readonly asOf: string;
  readonly note?: string;
}

const form = { elicitation: { form: {} } };
const formAndUrl = { elicitation: { form: {}, url: {} } };

export const KNOWN_HOSTS: readonly KnownHost[] = [
  {
    host: 'Claude Code',
    capabilities: { ...formAndUrl, roots: {} },
    source: 'https://code.claude.com/docs/en/mcp',
    asOf: '2026-11',
    note: 'elicitation since version 2.1.76; forms and browser addresses',
  },
  {
    host: 'Claude Desktop',
    capabilities: {},
    source: 'https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers',
    asOf: '2026-11',
    note: 'tools, prompts and resources; says that sampling is not supported',
  },
  {
    host: 'Cursor',
    capabilities: { ...form, roots: {} },
    source: 'https://cursor.com/docs/mcp',
    asOf: '2026-11',
  },
  {
    host: 'VS Code',
    capabilities: { ...formAndUrl, sampling: {}, roots: {} },
    source: 'https://code.visualstudio.com/api/extension-guides/ai/mcp',
    asOf: '2026-11',
    note: 'calls sampling deprecated',
  },
  {
    host: 'Windsurf',
    capabilities: {},
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    asOf: '2026-11',
    note: 'its document mentions none',
  },
  {
    host: 'Codex',
    capabilities: form,
    source: 'https://github.com/openai/codex/tree/main/codex-rs/rmcp-client',
    asOf: '2026-11',
    note: 'from its source, which declares forms',
  },
];
