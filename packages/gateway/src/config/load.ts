/** From the text or object of a configuration to what the gateway uses. Everything that can be wrong is told at once, with its place. */
import { resolve } from 'node:path';
import type { JsonObject } from 'waybill';
import { isLocale, isValidTimeZone, isWellFormedTag, type PolicyRules } from 'waybill/adapter';
import type { Headers } from '../answer.js';
import { isObject, own, type JsonRecord } from '../json/values.js';
import type { Era } from '../message.js';
import { checkShape } from './check.js';
import { objectDocument, readDocument, type ConfigDocument } from './document.js';
import { isHostFile, upstreamsOfHosts } from './hostFile.js';
import { ConfigError, type Problem } from './problem.js';
import type { AdminConfig, GatewayConfig, HttpTarget, StdioTarget, UpstreamConfig } from './types.js';
import { bytesOf, millisecondsOf } from './units.js';
import { fillVariables, type Environment } from './variables.js';

/** The members of a configuration, as the JSON Schema describes them. */
export type ConfigInput = object | ConfigText;

/** The text of a configuration file: YAML, JSON, or the `mcpServers` file of a host. */
export class ConfigText {
  readonly text: string;
  readonly file: string;
  readonly env: Environment;
  readonly over: Overrides;

  constructor(text: string, { file = 'configuration', env = {}, over = {} }: { file?: string; env?: Environment; over?: Overrides } = {}) {
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

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export function loadConfig(input: ConfigInput): GatewayConfig {
  const document = input instanceof ConfigText ? readDocument(input.text, input.file) : objectDocument(input);
  const problems: Problem[] = [];
  const filled = input instanceof ConfigText ? fillVariables(document.value, input.env, problems) : document.value;
  const raw = isHostFile(filled) ? upstreamsOfHosts(filled, problems) : filled;
  stop(problems, document);
  stop(checkShape(raw), document);
  const folder = input instanceof ConfigText ? resolve(input.file, '..') : process.cwd();
  const over = input instanceof ConfigText ? input.over : {};
  const config = build(overridden(raw as JsonRecord, over, problems), folder, problems);
  stop(problems, document);
  return config;
}

function stop(problems: readonly Problem[], document: ConfigDocument): void {
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => document.describe(problem)));
}

function overridden(raw: JsonRecord, { listen, stdio, upstream }: Overrides, problems: Problem[]): JsonRecord {
  const upstreams = raw['upstreams'] as JsonRecord;
  const names = Object.keys(upstreams);
  if (upstream !== undefined && !names.includes(upstream)) problems.push({ path: ['upstreams'], text: `there is no ${upstream}` });
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

const part = (value: unknown, name: string): JsonRecord => {
  const found = own(value, name);
  return isObject(found) ? found : {};
};

function build(raw: JsonRecord, folder: string, problems: Problem[]): GatewayConfig {
  const { host, port } = addressOf(raw, problems);
  const principal = principalOf(raw, host, problems);
  const limits = part(raw, 'limits');
  refuseUnbuilt(raw, problems);
  const store = (raw['store'] as string | undefined) ?? 'memory';
  if (!/^(?:memory|sqlite:.+)$/.test(store))
    problems.push({ path: ['store'], text: 'expected memory or sqlite:FILE; others are not supported yet' });
  const defaults = part(raw, 'defaults');
  const upstreams = Object.entries(raw['upstreams'] as JsonRecord).map(([name, given]) =>
    upstreamOf(name, merged(defaults, given as JsonRecord), folder, principal, problems),
  );
  return {
    host,
    port,
    hosts: (raw['hosts'] as string[] | undefined) ?? [],
    origins: (raw['origins'] as string[] | undefined) ?? [],
    admin: adminOf(raw, { host, port }, problems),
    principal,
    store,
    feed: (raw['feed'] as GatewayConfig['feed'] | undefined) ?? 'names',
    limits: {
      body: bytesOf((limits['body'] as string | undefined) ?? '4MB'),
      depth: (limits['depth'] as number | undefined) ?? 128,
      time: millisecondsOf((limits['time'] as string | undefined) ?? '60s'),
    },
    upstreams,
  };
}

function addressOf(raw: JsonRecord, problems: Problem[]): Address {
  const { host, port } = hostAndPort((raw['listen'] as string | undefined) ?? '127.0.0.1:7780', ['listen'], problems);
  if (host !== '' && !LOOPBACK.has(host) && raw['identity'] === undefined)
    problems.push({ path: ['listen'], text: `${host} can be reached from other machines, so \`identity\` is needed` });
  return { host, port };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function hostAndPort(text: string, path: readonly string[], problems: Problem[]): Address {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  if (host === '' || Number(port) > 65_535) {
    problems.push({ path, text: 'expected HOST:PORT' });
    return { host: '', port: 0 };
  }
  return { host: host === 'localhost' ? '127.0.0.1' : host, port: Number(port) };
}

function adminOf(raw: JsonRecord, main: Address, problems: Problem[]): AdminConfig | undefined {
  if (raw['admin'] === undefined) return undefined;
  const { listen, token } = part(raw, 'admin') as { listen: string; token: string };
  const address = hostAndPort(listen, ['admin', 'listen'], problems);
  if (address.port !== 0 && address.port === main.port && address.host === main.host)
    problems.push({ path: ['admin', 'listen'], text: 'is the address of `listen`; give it one of its own' });
  if (token === '') problems.push({ path: ['admin', 'token'], text: 'is empty, so everybody could read what passes' });
  return { ...address, token };
}

/** Settings of the published format that this version does not keep. A limit that is accepted and ignored is worse than an error. */
function refuseUnbuilt(raw: JsonRecord, problems: Problem[]): void {
  const text = 'is not available yet; remove it';
  for (const member of ['rate', 'concurrent'])
    if (part(raw, 'limits')[member] !== undefined) problems.push({ path: ['limits'], member, text });
}

/** Ways to verify a caller that this version does not have are refused: a gateway that ignored them would let everybody in. */
function principalOf(raw: JsonRecord, host: string, problems: Problem[]): string | undefined {
  const identity = part(raw, 'identity');
  for (const name of ['jwt', 'trustedProxy'])
    if (identity[name] !== undefined) problems.push({ path: ['identity'], member: name, text: 'is not supported yet; only `single` is' });
  // Refused above: no further problem follows from it.
  if (identity['jwt'] !== undefined || identity['trustedProxy'] !== undefined) return '';
  const single = identity['single'];
  if (single === undefined || single === false) return undefined;
  if (!LOOPBACK.has(host) && host !== '') problems.push({ path: ['identity', 'single'], text: 'is for loopback and stdio only' });
  return single === true ? 'single' : (single as string);
}

/** Objects are joined member by member, so that a default for one field stays when an upstream sets another. */
function merged(defaults: JsonRecord, given: JsonRecord): JsonRecord {
  const joined: JsonRecord = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const before = joined[name];
    joined[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return joined;
}

function upstreamOf(name: string, given: JsonRecord, folder: string, principal: string | undefined, problems: Problem[]): UpstreamConfig {
  const path = ['upstreams', name];
  const target = targetOf(given, path, problems);
  const state = part(given, 'state');
  const passes = target?.kind === 'http' && target.passesCredentials;
  if (passes && principal !== undefined)
    problems.push({ path: [...path, 'credentials'], text: '`pass` verifies nobody, so `identity` cannot be used with it' });
  if (passes && given['cache'] !== undefined)
    problems.push({ path: [...path, 'cache'], text: 'lists of one user must not reach another, and `credentials: pass` verifies nobody' });
  if (passes && state['mode'] === 'keep')
    problems.push({ path: [...path, 'state'], text: '`keep` needs a verified user, and `credentials: pass` verifies nobody' });
  if (!passes && state['mode'] === 'keep' && principal === undefined)
    problems.push({ path: [...path, 'state'], text: '`keep` needs a known user: write `identity: { single: true }`, or use --stdio' });
  const environment = part(given, 'environment');
  checkEnvironment(environment, path, problems);
  const language = part(given, 'language');
  if (language['default'] !== undefined && !isWellFormedTag(language['default'] as string))
    problems.push({ path: [...path, 'language', 'default'], text: 'is not a language tag' });
  if (language['catalogs'] !== undefined && language['default'] === undefined)
    problems.push({ path: [...path, 'language'], text: '`catalogs` needs `default`: the language the server itself speaks' });
  const tools = part(given, 'tools');
  const revision = (given['revision'] as string | undefined) ?? 'auto';
  return {
    name,
    target: target as UpstreamConfig['target'],
    revision: revision === 'auto' ? 'auto' : ((revision >= '2026' ? 'modern' : 'legacy') satisfies Era),
    language:
      given['language'] === undefined
        ? undefined
        : {
            from: (language['from'] as ('meta' | 'header')[] | undefined) ?? ['meta'],
            default: language['default'] as string | undefined,
            catalogs: language['catalogs'] === undefined ? undefined : resolve(folder, language['catalogs'] as string),
            fields: (language['fields'] as string[] | undefined) ?? ['title'],
          },
    environment:
      given['environment'] === undefined
        ? undefined
        : {
            mode: (environment['mode'] as 'pass' | 'strip' | undefined) ?? 'pass',
            defaults: part(environment, 'defaults'),
            fill: Object.fromEntries(
              Object.entries(part(environment, 'fill')).map(([tool, args]) => [
                tool,
                Object.fromEntries(
                  Object.entries(args as Record<string, { from: 'timezone' | 'locale'; hide?: boolean }>).map(
                    ([argument, { from, hide = false }]) => [argument, { from, hide }],
                  ),
                ),
              ]),
            ),
          },
    state: {
      mode: (state['mode'] as 'pass' | undefined) ?? 'pass',
      conversation: state['conversation'] as string | undefined,
      allowHosts: (state['allowHosts'] as string[] | undefined) ?? [],
    },
    trace: { mode: (part(given, 'trace')['mode'] as 'pass' | undefined) ?? 'pass', spans: part(given, 'trace')['spans'] === true },
    tools:
      given['tools'] === undefined
        ? undefined
        : {
            include: (tools['include'] as string[] | undefined) ?? ['*'],
            exclude: (tools['exclude'] as string[] | undefined) ?? [],
            override: part(tools, 'override') as Record<string, { title?: string; description?: string }>,
            requires: part(tools, 'requires') as Record<string, JsonObject>,
            unmet: (tools['unmet'] as 'refuse' | undefined) ?? 'refuse',
          },
    policy: given['policy'] as PolicyRules | undefined,
    cacheLists: millisecondsOf((part(given, 'cache')['lists'] as string | undefined) ?? 0),
  };
}

function targetOf(given: JsonRecord, path: readonly string[], problems: Problem[]): HttpTarget | StdioTarget | undefined {
  const { url, command, credentials } = given;
  const tell = (text: string): undefined => {
    problems.push({ path, text });
    return undefined;
  };
  if ((url === undefined) === (command === undefined)) {
    tell('expected either `url` or `command`');
    return;
  }
  if (typeof url === 'string') {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
      tell('`url` is not an http or https address');
      return;
    }
    if (parsed.username !== '' || parsed.password !== '') {
      tell('`url` holds a password; write it as `credentials`');
      return;
    }
    const headers = isObject(credentials) ? (credentials as Headers) : {};
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      kind: 'http',
      url: parsed,
      credentials: lower,
      passesCredentials: credentials === 'pass',
      metadata: given['metadata'] as string | undefined,
    };
  }
  if (credentials !== undefined && credentials !== 'none') {
    tell('`credentials` are for a `url`; a command gets its secrets by `env`');
    return;
  }
  const [program, ...args] = command as [string, ...string[]];
  const children = part(given, 'children');
  const { cwd } = given;
  return {
    kind: 'stdio',
    command: program,
    args,
    env: part(given, 'env') as Record<string, string>,
    ...(typeof cwd === 'string' && { cwd }),
    share: given['share'] as StdioTarget['share'],
    max: (children['max'] as number | undefined) ?? 20,
    idle: millisecondsOf((children['idle'] as string | undefined) ?? '5m'),
  };
}

function checkEnvironment(environment: JsonRecord, path: readonly string[], problems: Problem[]): void {
  const { timezone, locale } = part(environment, 'defaults');
  const at = [...path, 'environment', 'defaults'];
  if (timezone !== undefined && !isValidTimeZone(timezone as string))
    problems.push({ path: [...at, 'timezone'], text: 'is not an IANA time zone' });
  if (locale !== undefined && !isLocale(locale as string)) problems.push({ path: [...at, 'locale'], text: 'is not a BCP 47 language tag' });
}
