/** One upstream of the configuration, with the defaults joined in. */
import { resolve } from 'node:path';
import { nearest, isLocale, isValidTimeZone, isWellFormedTag, type PolicyRules } from 'waybill/adapter';
import type { JsonRecord } from '../json/values.js';
import { credentialsOf } from './credentials.js';
import { FOR_COMMANDS } from './defaults.js';
import { part } from './parts.js';
import type { Problem } from './problem.js';
import type { EnvironmentConfig, HttpTarget, IdentityConfig, LanguageConfig, StateConfig, StdioTarget } from './types.js';
import type { ToolsConfig, TraceConfig, UpstreamConfig } from './types.js';
import { millisecondsOf } from './units.js';

interface About {
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly identity: IdentityConfig;
  /** The settings that were written for this upstream, without the defaults. */
  readonly own: JsonRecord;
}

export function upstreamOf(name: string, given: JsonRecord, { folder, identity, own }: About, problems: Problem[]): UpstreamConfig {
  const isVerified = identity.kind !== 'none';
  const path = ['upstreams', name];
  const target = targetOf(given, path, folder, problems);
  const strange = target?.kind === 'http' ? FOR_COMMANDS.filter((one) => own[one] !== undefined) : [];
  for (const one of strange) problems.push({ path: [...path, one], text: 'is for a `command`; this upstream has a `url`' });
  const state = part(given, 'state');
  const passes = target?.kind === 'http' && target.passesCredentials;
  if (passes && isVerified)
    problems.push({ path: [...path, 'credentials'], text: '`pass` verifies nobody, so `identity` cannot be used with it' });
  if (passes && given['cache'] !== undefined)
    problems.push({ path: [...path, 'cache'], text: 'lists of one user must not reach another, and `credentials: pass` verifies nobody' });
  if (passes && state['mode'] === 'keep')
    problems.push({ path: [...path, 'state'], text: '`keep` needs a verified user, and `credentials: pass` verifies nobody' });
  if (!passes && state['mode'] === 'keep' && !isVerified)
    problems.push({ path: [...path, 'state'], text: '`keep` needs a known user: write `identity: { single: true }`, or use --stdio' });
  const environment = part(given, 'environment');
  checkEnvironment(environment, path, problems);
  const language = part(given, 'language');
  if (language['default'] !== undefined && !isLanguageTag(language['default'] as string))
    problems.push({ path: [...path, 'language', 'default'], text: 'is not a language tag, such as de or pt-BR' });
  if (language['catalogs'] !== undefined && language['default'] === undefined)
    problems.push({ path: [...path, 'language'], text: '`catalogs` needs `default`: the language the server itself speaks' });
  const revision = given['revision'] as string;
  const catalogs = language['catalogs'] === undefined ? undefined : resolve(folder, language['catalogs'] as string);
  const { tools, policy } = given;
  // The schema has checked the members of each rule, and the defaults have filled in the ones that must be there.
  return {
    name,
    target: target as UpstreamConfig['target'],
    revision: revision === 'auto' ? 'auto' : revision >= '2026' ? 'modern' : 'legacy',
    language: given['language'] === undefined ? undefined : ({ ...language, catalogs } as LanguageConfig),
    environment: given['environment'] === undefined ? undefined : ({ defaults: {}, fill: {}, ...environment } as EnvironmentConfig),
    state: { allowHosts: [], ...state } as unknown as StateConfig,
    trace: given['trace'] as TraceConfig,
    tools: tools === undefined ? undefined : ({ override: {}, requires: {}, ...tools } as ToolsConfig),
    policy: policy as PolicyRules | undefined,
    cacheLists: millisecondsOf((part(given, 'cache')['lists'] as string | undefined) ?? 0),
  };
}

function targetOf(given: JsonRecord, path: readonly string[], folder: string, problems: Problem[]): HttpTarget | StdioTarget | undefined {
  const { url, command, credentials } = given;
  const tell = (text: string, member?: string): HttpTarget | undefined => {
    problems.push({ path: member === undefined ? path : [...path, member], text });
    return undefined;
  };
  if ((url === undefined) === (command === undefined)) return tell('expected either `url` or `command`');
  if (typeof url === 'string') {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return tell('is not an http or https address', 'url');
    if (parsed.username !== '' || parsed.password !== '') return tell('holds a password; write it as `credentials`', 'url');
    const { metadata } = given as { metadata?: string };
    if (metadata !== undefined && (!/^https?:\/\//.test(metadata) || !URL.canParse(metadata)))
      tell('is not an http or https address', 'metadata');
    return {
      kind: 'http',
      url: parsed,
      credentials: credentialsOf(credentials, [...path, 'credentials'], problems),
      passesCredentials: credentials === 'pass',
      metadata,
    };
  }
  if (credentials !== undefined && credentials !== 'none')
    return tell('is for a `url`; a command gets its secrets by `env`', 'credentials');
  if (given['metadata'] !== undefined) tell('is for a `url`', 'metadata');
  const [program, ...args] = command as [string, ...string[]];
  const { max, idle } = given['children'] as { max: number; idle: string };
  const { cwd } = given;
  return {
    kind: 'stdio',
    command: program,
    args,
    env: part(given, 'env') as Record<string, string>,
    ...(typeof cwd === 'string' && { cwd: resolve(folder, cwd) }),
    share: given['share'] as StdioTarget['share'],
    max,
    idle: millisecondsOf(idle),
  };
}

function checkEnvironment(environment: JsonRecord, path: readonly string[], problems: Problem[]): void {
  const { timezone, locale } = part(environment, 'defaults');
  const at = [...path, 'environment', 'defaults'];
  if (timezone !== undefined && !isValidTimeZone(timezone as string))
    problems.push({ path: [...at, 'timezone'], text: `is not an IANA time zone${suggested(timezone as string)}` });
  if (locale !== undefined && !isLocale(locale as string)) problems.push({ path: [...at, 'locale'], text: 'is not a BCP 47 language tag' });
}

/** `english` is well-formed, but no registered language has more than three letters. */
const isLanguageTag = (tag: string): boolean => isWellFormedTag(tag) && !/^[a-z]{4}/i.test(tag);

function suggested(zone: string): string {
  const near = nearest(zone, Intl.supportedValuesOf('timeZone'));
  return near === undefined ? '' : `; did you mean ${near}?`;
}
