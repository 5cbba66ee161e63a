/** Reads the words of `check`. Wrong words are refused with one sentence. */
import { parseArgs } from 'node:util';
import { type Check, concernOf, CONCERNS, type Role } from '../check.js';
import { clientChecks } from '../checks/client/all.js';
import { gatewayChecks } from '../checks/gateway/all.js';
import { serverChecks } from '../checks/server/all.js';
import { requirementById } from '../requirements.js';
import type { ServerOptions } from '../runner/checkServer.js';
import { selected } from '../runner/run.js';
import type { HeaderLine } from '../wire/exchange.js';
import { isObject } from '../wire/json.js';

export class UsageError extends Error {}

export interface Words extends Pick<ServerOptions, 'expected' | 'only' | 'requirement' | 'wire' | 'timeout' | 'starting' | 'tool'> {
  readonly role: Role;
  readonly url: string | undefined;
  readonly command: readonly string[];
  readonly headers: readonly HeaderLine[];
  readonly strict: boolean;
  readonly json: boolean;
  readonly junit: string | undefined;
  readonly baseline: string | undefined;
}

export const HELP = `Checks a server, a client or a gateway against the rules of per-request context, with raw messages on the wire.

  waybill check server URL                      a server over Streamable HTTP
  waybill check server -- COMMAND …             a server over stdio
  waybill check client -- COMMAND …             a client; the kit appends its URL, and for stdio "--" and a command
  waybill check gateway --url URL -- COMMAND …  a gateway; {port} in both, and {stdio} or {http} in the command, are filled in

Which rules
  --only CONCERN,…        ${CONCERNS.join(', ')}
  --requirement ID,…      single rules, such as LANG-42
  --wire seed             the first text of the proposals, where it differs from today's protocol
  --expect CONCERN,…      not taking part in these is a failure
  --strict                a SHOULD that is not kept is a failure, not a warning

How
  --tool NAME --args JSON a harmless tool of the server that may be called
  --header "Name: value"  a header for every request to the server, may be repeated
  --timeout MS            how long to wait for one answer (default 3000; 15000 for the first of a command)

Report
  --json                  one JSON object on stdout instead of the table
  --junit FILE            JUnit XML as well
  --baseline FILE         YAML with the failures that are expected: lists of "scenario" or "scenario:check" under server:, client:, gateway:

Examples
  waybill check server http://127.0.0.1:3000/mcp
  waybill check server --only language --expect language -- node server.js
  waybill check gateway --url http://127.0.0.1:{port}/mcp -- npx mcp-proxy --port {port} -- {stdio}

Exit codes: 0 every rule is kept, 1 a rule is broken or the baseline is stale, 2 usage, 3 the subject could not be reached, 130 Ctrl-C.
`;

const list = { type: 'string', multiple: true, default: [] as string[] } as const;
const OPTIONS = {
  url: { type: 'string' },
  only: list,
  requirement: list,
  expect: list,
  wire: { type: 'string', default: 'current' },
  tool: { type: 'string' },
  args: { type: 'string' },
  header: list,
  strict: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  junit: { type: 'string' },
  baseline: { type: 'string' },
  timeout: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const CHECKS: Readonly<Record<Role, readonly Check<never>[]>> = { server: serverChecks, client: clientChecks, gateway: gatewayChecks };

/** Returns undefined if help was asked for. */
export function readWords(argv: readonly string[]): Words | undefined {
  const end = argv.indexOf('--');
  const command = end < 0 ? [] : argv.slice(end + 1);
  const { values, positionals } = parsed(end < 0 ? [...argv] : argv.slice(0, end));
  if (values.help || argv.length === 0) return undefined;
  const [role, place, ...more] = positionals;
  if (role !== 'server' && role !== 'client' && role !== 'gateway')
    throw new UsageError(`expected server, client or gateway, not ${role ?? 'nothing'}`);
  if (more.length > 0) throw new UsageError(`unexpected: ${more.join(' ')}; write the command after --`);
  if (place !== undefined && values.url !== undefined) throw new UsageError('the URL is given twice');
  const timeout = Number(values.timeout ?? 3000);
  if (!(Number.isInteger(timeout) && timeout > 0)) throw new UsageError('--timeout: expected milliseconds');
  if (values.wire !== 'current' && values.wire !== 'seed') throw new UsageError('--wire: expected current or seed');
  const words: Words = {
    role,
    url: place ?? values.url,
    command,
    only: chosen('only', values.only, CONCERNS),
    requirement: chosen('requirement', values.requirement, [...requirementById.keys()]),
    expected: chosen('expect', values.expect, CONCERNS),
    wire: values.wire,
    tool: toolOf(values.tool, values.args),
    headers: values.header.map(headerOf),
    strict: values.strict,
    json: values.json,
    junit: values.junit,
    baseline: values.baseline,
    timeout,
    starting: values.timeout === undefined ? 15_000 : timeout,
  };
  requireFitting(words);
  return words;
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function chosen(option: string, given: readonly string[], known: readonly string[]): ReadonlySet<string> {
  const names = given.flatMap((one) => one.split(',')).map((one) => one.trim());
  for (const name of names)
    if (!known.includes(name)) {
      const family = known.filter((one) => one.startsWith(name.slice(0, name.indexOf('-') + 1)));
      const some = (family.length > 0 ? family : known).slice(0, 8);
      throw new UsageError(`--${option}: "${name}" is not known; try ${some.join(', ')}${some.length < known.length ? ', …' : ''}`);
    }
  return new Set(names);
}

function toolOf(name: string | undefined, args: string | undefined): Words['tool'] {
  if (name === undefined) {
    if (args !== undefined) throw new UsageError('--args: it needs --tool');
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(args ?? '{}');
  } catch (error) {
    throw new UsageError(`--args: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value)) throw new UsageError('--args: expected a JSON object');
  return { name, args: value };
}

function headerOf(text: string): HeaderLine {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--header: expected "Name: value", not "${text}"`);
  return [name, value.trim()];
}

/** Refuses words that do not fit together. */
function requireFitting(words: Words): void {
  requireSubject(words);
  requireChecks(words);
  if (words.tool !== undefined && words.role !== 'server') throw new UsageError('--tool: only "check server" uses it');
  if (words.headers.length > 0 && (words.role !== 'server' || words.url === undefined))
    throw new UsageError('--header: only "check server URL" uses it');
}

/** Refuses a choice of rules that leaves nothing to check, or nothing of what is expected. */
function requireChecks(words: Words): void {
  const { role, only, expected, requirement } = words;
  for (const id of requirement) {
    const { who } = requirementById.get(id) ?? { who: [role] };
    if (!who.includes(role)) throw new UsageError(`--requirement: ${id} is a rule for ${who.map((one) => `${one}s`).join(' and ')}`);
  }
  const left = [...expected].filter((concern) => only.size > 0 && !only.has(concern));
  if (left.length > 0) throw new UsageError(`--expect: ${left.join(', ')} is left out by --only`);
  const concerns = new Set<string>(selected(CHECKS[role], words).map(({ id }) => concernOf(id)));
  if (concerns.size === 0) throw new UsageError('--only, --requirement and --wire leave no check');
  const unjudged = [...expected].filter((concern) => !concerns.has(concern));
  if (unjudged.length > 0) throw new UsageError(`--expect: ${unjudged.join(', ')} has no check that --requirement selects`);
}

/** Each kind of subject is named in its own way. */
function requireSubject({ role, url, command }: Words): void {
  const example = role === 'gateway' ? 'http://127.0.0.1:8080/mcp' : 'http://127.0.0.1:3000/mcp';
  const plain = url?.replaceAll('{port}', '80');
  if (plain !== undefined && !(URL.canParse(plain) && /^https?:$/.test(new URL(plain).protocol)))
    throw new UsageError(`"${url ?? ''}" is no http URL; expected something like ${example}`);
  if (role === 'server' && (url === undefined) === (command.length === 0)) throw new UsageError('expected either a URL or -- COMMAND');
  if (role === 'client' && (url !== undefined || command.length === 0))
    throw new UsageError('expected -- COMMAND that starts the client, and no URL');
  if (role !== 'gateway') return;
  if (url === undefined || command.length === 0) throw new UsageError('expected --url URL and -- COMMAND that starts the gateway');
  const placeholders = ['{stdio}', '{http}'].filter((one) => command.some((word) => word.includes(one)));
  if (placeholders.length !== 1)
    throw new UsageError('expected {stdio} or {http} once in the command: the upstream that the gateway talks to');
}
