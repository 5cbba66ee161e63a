/** From the text or object of a configuration to what the gateway uses. Everything that can be wrong is told at once, with its place. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonRecord } from '../json/values.js';
import { addressOf, adminOf, namesOf } from './address.js';
import { checkShape, oneOf } from './check.js';
import { completed } from './defaults.js';
import { objectDocument, readDocument, type ConfigDocument } from './document.js';
import { hostServersOf, upstreamsOfHosts } from './hostFile.js';
import { identityOf } from './identity.js';
import { part } from './parts.js';
import { ConfigError, type Problem } from './problem.js';
import type { GatewayConfig, LimitsConfig } from './types.js';
import { bytesOf, millisecondsOf, rateOf } from './units.js';
import { upstreamOf } from './upstream.js';
import { fillVariables, type Variables } from './variables.js';

/** The members of a configuration, as the JSON Schema describes them. */
export type ConfigInput = object | ConfigText;

/** The text of a configuration file: YAML, JSON, or the `mcpServers` file of a host. */
export class ConfigText {
  readonly text: string;
  readonly file: string;
  readonly env: Variables;
  readonly over: Overrides;

  constructor(text: string, { file = 'configuration', env = {}, over = {} }: { file?: string; env?: Variables; over?: Overrides } = {}) {
    this.text = text;
    this.file = file;
    this.env = env;
    this.over = over;
  }
}

/** Settings of the command line. They win over the file. */
export interface Overrides {
  readonly listen?: string;
  /** Served over a pipe: one user, and no address. */
  readonly stdio?: boolean;
  /** Only this upstream. */
  readonly upstream?: string;
}

/** A configuration in the words of its file. */
export interface ReadConfig {
  readonly config: GatewayConfig;
  /** With variables, defaults and the settings of the command line. */
  readonly raw: JsonRecord;
  /** As it was written. */
  readonly written: JsonRecord;
}

export function loadConfig(input: ConfigInput): GatewayConfig {
  return readConfig(input).config;
}

/** Throws a `ConfigError` with everything that is wrong. */
export function readConfig(input: ConfigInput): ReadConfig {
  const document = documentOf(input);
  const unset: Problem[] = [];
  const shaped = shapedOf(document, (value, path) => (input instanceof ConfigText ? fillVariables(value, input.env, unset, path) : value));
  // A value that could not be filled in is told once.
  const stopIfWrong = (problems: readonly Problem[]): void =>
    stop([...unset, ...problems.filter(({ path }) => !unset.some((known) => isDeepStrictEqual(known.path, path)))], document);
  if (hostServersOf(document.value) !== undefined) stopIfWrong([]);
  const wrong = checkShape(shaped);
  if (wrong.length > 0) stopIfWrong(wrong);
  const folder = input instanceof ConfigText ? resolve(input.file, '..') : process.cwd();
  const over = input instanceof ConfigText ? input.over : {};
  const problems: Problem[] = [];
  const given = overridden(shaped, over, problems);
  const raw = completed(given);
  const config = build(raw, part(given, 'upstreams'), folder, problems);
  stopIfWrong(problems);
  return { config, raw, written: shapedOf(document, (value) => value) };
}

/** The upstreams of the file of a host, with its variables as they were written; undefined if the input is none. */
export function readHostFile(input: ConfigInput): JsonRecord | undefined {
  const document = documentOf(input);
  if (hostServersOf(document.value) === undefined) return undefined;
  const shaped = shapedOf(document, (value) => value);
  stop(checkShape(shaped), document);
  return shaped;
}

type Fill = (value: unknown, path: readonly string[]) => unknown;

/** The configuration in the shape of the schema, which is checked next. In the file of a host, only its servers are read. */
function shapedOf(document: ConfigDocument, fill: Fill): JsonRecord {
  const hosts = hostServersOf(document.value);
  if (hosts === undefined) return fill(document.value, []) as JsonRecord;
  const problems: Problem[] = [];
  const { member } = hosts;
  const shaped = upstreamsOfHosts({ member, servers: fill(hosts.servers, [member]) as JsonRecord }, problems);
  stop(problems, document);
  return shaped;
}

function documentOf(input: ConfigInput): ConfigDocument {
  return input instanceof ConfigText ? readDocument(input.text, input.file) : objectDocument(input);
}

function stop(problems: readonly Problem[], document: ConfigDocument): void {
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => document.describe(problem)));
}

function overridden(raw: JsonRecord, { listen, stdio, upstream }: Overrides, problems: Problem[]): JsonRecord {
  const upstreams = raw['upstreams'] as JsonRecord;
  const names = Object.keys(upstreams);
  if (upstream !== undefined && !names.includes(upstream))
    problems.push({ path: ['upstreams'], text: `there is no upstream ${upstream}; ${oneOf(upstream, names)}` });
  else if (stdio === true && upstream === undefined && names.length > 1)
    problems.push({ path: ['upstreams'], text: `--stdio serves one upstream; name it with --upstream: ${names.join(', ')}` });
  return {
    ...raw,
    ...(listen !== undefined && { listen }),
    // The program at the other end of the pipe is the user.
    ...(stdio === true && { identity: { single: 'stdio' }, listen: '127.0.0.1:0' }),
    ...(upstream !== undefined && { upstreams: { [upstream]: upstreams[upstream] ?? {} } }),
  };
}

/** `own`: the settings that were written for each upstream, without defaults. */
function build(raw: JsonRecord, own: JsonRecord, folder: string, problems: Problem[]): GatewayConfig {
  const { host, port } = addressOf(raw, problems);
  const identity = identityOf(raw, host, problems);
  const { feed, log, otlp, replica } = raw as unknown as Pick<GatewayConfig, 'feed' | 'log' | 'otlp' | 'replica'>;
  return {
    ...{ host, port, identity, feed, log, otlp, replica },
    ...namesOf(raw, problems),
    admin: adminOf(raw, { host, port }, problems),
    store: storeOf(raw['store'] as string | undefined, folder, problems),
    key: raw['key'] === undefined ? undefined : ([raw['key']].flat() as string[]),
    limits: limitsOf(part(raw, 'limits')),
    upstreams: Object.entries(part(raw, 'upstreams')).map(([name, given]) =>
      upstreamOf(name, given as JsonRecord, { folder, identity, own: part(own, name) }, problems),
    ),
  };
}

function limitsOf(limits: JsonRecord): LimitsConfig {
  const { body, depth, time, rate, concurrent } = limits as {
    body: string;
    depth: number;
    time: string;
    rate?: string;
    concurrent?: number;
  };
  return { body: bytesOf(body), depth, time: millisecondsOf(time), rate: rate === undefined ? undefined : rateOf(rate), concurrent };
}

/** Files are found from the folder of the configuration. Without a setting, the store is a file of the user. */
function storeOf(store: string | undefined, folder: string, problems: Problem[]): string {
  if (store === undefined)
    return `sqlite:${join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'waybill', 'gateway.db')}`;
  const file = /^sqlite:(.+)$/.exec(store)?.[1];
  if (file !== undefined) return `sqlite:${resolve(folder, file)}`;
  if (store !== 'memory' && !(/^(?:redis|valkey)s?:\/\/./.test(store) && URL.canParse(store)))
    problems.push({ path: ['store'], text: 'expected memory, sqlite:FILE or redis://HOST:PORT' });
  return store;
}
