/** Asks a server the same without and with context, and notes what changes. */
import { keys, type JsonObject } from 'waybill';
import type { ClientContextOptions } from 'waybill/client';
import { callTool, prepare, type ToolCall } from '../commands/call.js';
import { explain, rpcErrorOf } from '../explain.js';
import { cleanLine } from '../output.js';
import type { Run } from '../run.js';
import { openSession, type Session } from '../session/session.js';
import { contentText } from '../session/show.js';
import type { Target } from '../target/target.js';
import { KNOWN_HOSTS, type KnownHost } from './hosts.js';
import type { Called, FailedWith, Probed } from './judge.js';

export interface Tool {
  readonly name: string;
}

export interface Examined extends Probed {
  readonly name: string;
  readonly revision: string;
  readonly tools: readonly Tool[];
  /** The names that the server lists under the capabilities of each known host; absent if it lists the same under all. */
  readonly listed?: ReadonlyMap<KnownHost, readonly string[]>;
  /** The answer of the server to a method that it does not know. */
  readonly unknownMethod: string;
}

/** Everything that a server may ask for, so that its lists are whole. */
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

const NO_CONTEXT: Partial<ClientContextOptions> = { language: null, environment: null };
const PARTS = {
  language: { ...NO_CONTEXT, language: 'de' },
  environment: { language: null, environmentEverywhere: true },
  trace: { ...NO_CONTEXT, trace: 'start' },
} as const satisfies Partial<Record<keyof Probed['failures'], Partial<ClientContextOptions>>>;
const EVERYTHING: Partial<ClientContextOptions> = { language: 'de', environmentEverywhere: true, trace: 'start' };

export async function examine(
  run: Run,
  target: Target,
  call?: { readonly tool: string; readonly words: readonly string[] },
): Promise<Examined> {
  const open: OpenSession = (values, capabilities = CAPABILITIES) => openSession(run, target, { values, capabilities });
  const bare = await open(NO_CONTEXT);
  const tools = await toolsOf(bare);
  const request = call && (await prepare(bare, call.tool, call.words, run));
  const server = bare.client.getServerVersion();
  const examined: Examined = {
    name: cleanLine(server?.title ?? server?.name ?? target.label),
    revision: bare.revision,
    tools,
    unknownMethod: await unknownMethod(bare),
    language: undefined,
    sameNames: true,
    extension: extensionOf(bare),
    failures: {},
  };
  await bare.client.close();
  const listed = await listedInHosts(open, tools);
  const seen = await attempt(() => withContext(open, tools));
  if (!('said' in seen))
    return { ...examined, ...listed, ...seen, ...(request !== undefined && { call: await called(open, request, run) }) };
  // It fails with everything at once. Each part is sent alone, to find those that it fails with.
  const failures: Probed['failures'] = {};
  for (const part of ['language', 'environment', 'trace'] as const) {
    const alone = await attempt(() => withPart(open, part));
    if (alone !== undefined) failures[part] = alone;
  }
  return {
    ...examined,
    ...listed,
    failures: Object.keys(failures).length > 0 ? failures : { language: seen, environment: seen, trace: seen },
  };
}

type OpenSession = (values: Partial<ClientContextOptions>, capabilities?: JsonObject) => Promise<Session>;

async function withContext(open: OpenSession, plain: readonly Tool[]): Promise<Pick<Probed, 'language' | 'sameNames'>> {
  const session = await open(EVERYTHING);
  const list = await listOf(session);
  await session.client.close();
  const names = (all: readonly Tool[]): string => JSON.stringify(all.map(({ name }) => name));
  return {
    language: session.waybill.languageOf(list),
    sameNames: names(list.tools) === names(plain),
  };
}

/** Some servers leave out what the client cannot use. Then each host is shown another list. */
async function listedInHosts(open: OpenSession, all: readonly Tool[]): Promise<Pick<Examined, 'listed'>> {
  const names = async (capabilities: JsonObject): Promise<readonly string[]> => {
    const session = await open(NO_CONTEXT, capabilities);
    const tools = await toolsOf(session);
    await session.client.close();
    return tools.map(({ name }) => name);
  };
  if ((await names({})).length === all.length) return {};
  const listed = new Map<KnownHost, readonly string[]>();
  for (const host of KNOWN_HOSTS) listed.set(host, await names(host.capabilities));
  return { listed };
}

const extensionOf = ({ client }: Session): Probed['extension'] => client.getServerCapabilities()?.extensions?.[keys.EXTENSION_ID];

async function withPart(open: OpenSession, part: keyof typeof PARTS): Promise<undefined> {
  const session = await open(PARTS[part]);
  await listOf(session);
  await session.client.close();
}

const listOf = async ({ client, request }: Session): Promise<{ tools: readonly Tool[] }> =>
  client.getServerCapabilities()?.tools === undefined ? { tools: [] } : client.listTools(undefined, request);

const toolsOf = async (session: Session): Promise<readonly Tool[]> => (await listOf(session)).tools;

/** A server that answered without context and fails now is a finding, not the end. */
async function attempt<T>(probe: () => Promise<T>): Promise<T | FailedWith> {
  try {
    return await probe();
  } catch (error) {
    const { kind, message } = explain(error);
    if (kind !== 'protocol' && kind !== 'unreachable' && kind !== 'timeout') throw error;
    return { said: message, refused: rpcErrorOf(error) !== undefined };
  }
}

/** Calls the tool with context. If it fails, it is called without as well: it may fail in any case. */
async function called(open: OpenSession, request: ToolCall, run: Run): Promise<Called> {
  const once = async (values: Partial<ClientContextOptions>): Promise<{ ok: boolean; said: string }> => {
    const seen = await attempt(async () => {
      const session = await open(values);
      const answer = await callTool(session, request, run);
      await session.client.close();
      return { ok: answer.isError !== true, text: cleanLine(contentText(answer.content)).slice(0, 120) };
    });
    return 'said' in seen ? { ok: false, said: seen.said } : { ok: seen.ok, said: seen.text };
  };
  const { name } = request.params;
  const { ok, said } = await once(EVERYTHING);
  if (ok) return { outcome: 'works', said: `${name} answers: ${said}` };
  return (await once(NO_CONTEXT)).ok
    ? { outcome: 'breaks', said: `${name} works without context, and fails with it: ${said}` }
    : { outcome: 'fails anyway', said: `${name} fails with and without context: ${said}` };
}

/** A server has to refuse a method that it does not know, and stay alive. */
async function unknownMethod({ client, request }: Session): Promise<string> {
  const anything = { '~standard': { version: 1 as const, vendor: 'waybill', validate: (value: unknown) => ({ value }) } };
  try {
    await client.request({ method: 'waybill/unknown' } as never, anything as never, request);
    return 'answers an unknown method with a result; it has to be error -32601';
  } catch (error) {
    const code = rpcErrorOf(error)?.code;
    if (code === -32601) return 'refuses an unknown method, as it has to';
    return `answers an unknown method with ${code === undefined ? explain(error).message : `error ${code}`}; it has to be error -32601`;
  }
}
