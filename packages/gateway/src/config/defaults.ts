/** The settings that nobody wrote. */
import { isObject, own, type JsonRecord } from '../json/values.js';
import { merged } from './parts.js';

export const LISTEN = '127.0.0.1:7780';

const DEFAULTS: JsonRecord = {
  listen: LISTEN,
  hosts: [],
  origins: [],
  feed: 'names',
  log: { format: 'text', audit: true },
  limits: { body: '4MB', depth: 128, time: '60s' },
};

const JWT_DEFAULTS: JsonRecord = { claim: 'sub', skew: '30s' };

const UPSTREAM_DEFAULTS: JsonRecord = {
  revision: 'auto',
  state: { mode: 'pass' },
  trace: { mode: 'pass', spans: false },
  children: { max: 20, idle: '5m' },
};

/** Defaults of rules that are off unless they are written. */
const RULE_DEFAULTS: JsonRecord = {
  language: { from: ['meta'], fields: ['title'] },
  environment: { mode: 'pass' },
  tools: { include: ['*'], exclude: [], unmet: 'refuse' },
};

/** Settings that mean nothing for an upstream with a `url`. */
export const FOR_COMMANDS: readonly string[] = ['env', 'cwd', 'share', 'children'];

/** Fills in every default. The section `defaults` becomes part of each upstream. */
export function completed({ upstreams, defaults = {}, ...rest }: JsonRecord): JsonRecord {
  const jwt = own(rest['identity'], 'jwt');
  const named = Object.entries(upstreams as Record<string, JsonRecord>);
  return {
    ...merged(DEFAULTS, rest),
    ...(isObject(jwt) && { identity: { jwt: { ...JWT_DEFAULTS, ...jwt } } }),
    upstreams: Object.fromEntries(named.map(([name, given]) => [name, completedUpstream(given, defaults as JsonRecord)])),
  };
}

function completedUpstream({ url, command, ...rest }: JsonRecord, defaults: JsonRecord): JsonRecord {
  const written = merged(defaults, rest);
  const rules = Object.fromEntries(Object.entries(RULE_DEFAULTS).filter(([name]) => name in written));
  const whole = merged({ ...UPSTREAM_DEFAULTS, ...rules }, written);
  const target = { ...(url !== undefined && { url }), ...(command !== undefined && { command }) };
  if (url === undefined) return { ...target, ...whole };
  return { ...target, ...Object.fromEntries(Object.entries(whole).filter(([name]) => !FOR_COMMANDS.includes(name))) };
}
