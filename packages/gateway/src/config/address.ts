/** Addresses to listen at, and who may reach them. */
import { isIP } from 'node:net';
import type { Address, AdminConfig } from './types.js';
import type { JsonRecord } from '../json/values.js';
import type { Problem } from './problem.js';
import { part } from './parts.js';

const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

export function addressOf(raw: JsonRecord, problems: Problem[]): Address {
  const address = hostAndPort(raw['listen'] as string, ['listen'], problems);
  const { host } = address;
  if (host === '' || isLoopback(host)) return address;
  if (raw['identity'] === undefined)
    problems.push({ path: ['listen'], text: `${host} can be reached from other machines, so \`identity\` is needed` });
  if (EVERY_ADDRESS.has(host) && (raw['hosts'] as string[]).length === 0)
    problems.push({ path: ['listen'], text: 'write the names under which clients reach this gateway as `hosts`: no other Host is served' });
  return address;
}

/** Names that are never equal to what a client sends would refuse everybody, and nobody would know why. */
export function namesOf(raw: JsonRecord, problems: Problem[]): { hosts: readonly string[]; origins: readonly string[] } {
  const { hosts, origins } = raw as { hosts: string[]; origins: string[] };
  for (const [at, host] of hosts.entries())
    if (!/^[^\s/:[\]]+$/.test(host) && isIP(host) !== 6)
      problems.push({ path: ['hosts', at], text: 'expected a name or an address alone, without a scheme and a port' });
  for (const [at, origin] of origins.entries()) {
    const { protocol, host } = URL.canParse(origin) ? new URL(origin) : { protocol: 'https:', host: 'app.example' };
    if (host === '' || origin !== `${protocol}//${host}`)
      problems.push({
        path: ['origins', at],
        text: `expected an origin, as browsers send it, such as ${protocol}//${host || 'app.example'}`,
      });
  }
  return { hosts, origins };
}

export function adminOf(raw: JsonRecord, main: Address, problems: Problem[]): AdminConfig | undefined {
  if (raw['admin'] === undefined) return undefined;
  const { listen, token } = part(raw, 'admin') as { listen: string; token: string };
  const address = hostAndPort(listen, ['admin', 'listen'], problems);
  if (address.port !== 0 && address.port === main.port && address.host === main.host)
    problems.push({ path: ['admin', 'listen'], text: 'is the address of `listen`; give it one of its own' });
  if (token.trim() !== token)
    problems.push({ path: ['admin', 'token'], text: 'has a blank or a line break at an end, so nobody could send it' });
  if (token === '') problems.push({ path: ['admin', 'token'], text: 'is empty, so everybody could read what passes' });
  return { ...address, token };
}

function hostAndPort(text: string, path: readonly string[], problems: Problem[]): Address {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  if (host === '' || Number(port) > 65_535) {
    problems.push({ path, text: 'expected HOST:PORT, such as 127.0.0.1:7780 or [::1]:7780' });
    return { host: '', port: 0 };
  }
  return { host: host === 'localhost' ? '127.0.0.1' : host, port: Number(port) };
}
