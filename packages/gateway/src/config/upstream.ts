/** One upstream of the configuration, with the defaults joined in. */
import { resolve } from 'node:path';
import type { JsonObject } from 'waybill';
import { nearest, isLocale, isValidTimeZone, isWellFormedTag, type PolicyRules } from 'waybill/adapter';
import type { JsonRecord } from '../json/values.js';
import type { Era } from './types.js';
import { credentialsOf } from './credentials.js';
import { part } from './parts.js';
import type { Problem } from './problem.js';
import type { HttpTarget, IdentityConfig, StdioTarget, UpstreamConfig } from './types.js';
import { millisecondsOf } from './units.js';

interface About {
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly identity: IdentityConfig;
  /** The settings that were written for this upstream, without the defaults. */
  readonly own: JsonRecord;
}

/** Settings that mean nothing for the other kind of upstream. */
export const FOR_COMMANDS = ['env', 'cwd', 'share', 'children'] as const;

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

function targetOf(given: JsonRecord, path: readonly string[], folder: string, problems: Problem[]): HttpTarget | StdioTarget | undefined {
  const { url, command, credentials } = given;
  const tell = (text: string, member?: string): undefined => {
    problems.push({ path: member === undefined ? path : [...path, member], text });
    return undefined;
  };
  if ((url === undefined) === (command === undefined)) {
    tell('expected either `url` or `command`');
    return;
  }
  if (typeof url === 'string') {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
      tell('is not an http or https address', 'url');
      return;
    }
    if (parsed.username !== '' || parsed.password !== '') {
      tell('holds a password; write it as `credentials`', 'url');
      return;
    }
    const { metadata } = given as { metadata?: string };
    if (metadata !== undefined && (!/^https?:\/\//.test(metadata) || !URL.canParse(metadata)))
      problems.push({ path: [...path, 'metadata'], text: 'is not an http or https address' });
    return {
      kind: 'http',
      url: parsed,
      credentials: credentialsOf(credentials, [...path, 'credentials'], problems),
      passesCredentials: credentials === 'pass',
      metadata,
    };
  }
  if (credentials !== undefined && credentials !== 'none') {
    tell('is for a `url`; a command gets its secrets by `env`', 'credentials');
    return;
  }
  if (given['metadata'] !== undefined) tell('is for a `url`', 'metadata');
  const [program, ...args] = command as [string, ...string[]];
  const children = part(given, 'children');
  const { cwd } = given;
  return {
    kind: 'stdio',
    command: program,
    args,
    env: part(given, 'env') as Record<string, string>,
    ...(typeof cwd === 'string' && { cwd: resolve(folder, cwd) }),
    share: given['share'] as StdioTarget['share'],
    max: (children['max'] as number | undefined) ?? 20,
    idle: millisecondsOf((children['idle'] as string | undefined) ?? '5m'),
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
