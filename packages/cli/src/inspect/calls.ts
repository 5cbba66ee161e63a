/** The requests that the page sends, each by the SDK's own method: it walks pages and answers questions of the server. */
import type { Client } from '@modelcontextprotocol/client';

interface RequestOptions {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
}

interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

type SendRequest = (client: Client, params: never, options: RequestOptions) => Promise<unknown>;

const CALLS = new Map<string, SendRequest>([
  ['tools/list', (client, _, options) => client.listTools(undefined, quiet(options))],
  // The SDK writes to stdout when it lists what a server does not have.
  [
    'prompts/list',
    async (client, _, options) => (client.getServerCapabilities()?.prompts ? client.listPrompts(undefined, quiet(options)) : {}),
  ],
  [
    'resources/list',
    async (client, _, options) => (client.getServerCapabilities()?.resources ? client.listResources(undefined, quiet(options)) : {}),
  ],
  [
    'resources/templates/list',
    async (client, _, options) =>
      client.getServerCapabilities()?.resources ? client.listResourceTemplates(undefined, quiet(options)) : {},
  ],
  [
    'tools/call',
    (client, params, { onprogress, ...options }) =>
      client.callTool(params, { ...options, resetTimeoutOnProgress: true, onprogress: onprogress as never }),
  ],
  ['prompts/get', (client, params, options) => client.getPrompt(params, quiet(options))],
  ['resources/read', (client, params, options) => client.readResource(params, quiet(options))],
]);

/** Without the listener, so that the request asks for no progress. */
const quiet = ({ timeout, signal }: RequestOptions): Omit<RequestOptions, 'onprogress'> => ({ timeout, signal });

export function callOf(method: string): SendRequest {
  const call = CALLS.get(method);
  if (call === undefined) throw new Error(`The page sends ${[...CALLS.keys()].join(', ')}; not ${method}.`);
  return call;
}
