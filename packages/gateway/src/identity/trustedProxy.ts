/**
 * `trustedProxy`: a proxy in front has verified the user and says so in a header. The header counts only if it comes from an address of that proxy.
 * A refused caller gets 403: a 401 would ask the client to log in, and no login at this gateway helps.
 */
import { BlockList, isIP } from 'node:net';
import { Refusal } from '../answer.js';
import type { TrustedProxyConfig } from '../config/types.js';
import { principalOf, type Identity } from './identity.js';

export function trustedProxy({ header, from }: TrustedProxyConfig): Identity {
  const trusted = addressList(from) as BlockList;
  return {
    identify({ peer, values }) {
      const refuse = (why: string) => Promise.reject(new Refusal(403, -32000, `Forbidden: ${why}`));
      if (peer === undefined || !isIn(trusted, peer)) return refuse('requests must come through the proxy of this gateway');
      const [user, ...others] = values(header);
      if (user === undefined || user.trim() === '') return refuse(`the proxy named no user in ${header}`);
      // A proxy that adds its line to one of the client's own has verified only one of them.
      if (others.length > 0) return refuse(`${header} came more than once`);
      return Promise.resolve({ principal: principalOf('trustedProxy', user.trim()) });
    },
  };
}

/** Addresses and networks such as 10.0.0.0/8. Returns the first text that is neither. */
export function addressList(from: readonly string[]): BlockList | string {
  const list = new BlockList();
  for (const text of from) {
    const [address = '', prefix, ...rest] = text.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const isPrefix = bits === undefined || (/^\d+$/.test(prefix ?? '') && bits <= (family === 4 ? 32 : 128));
    if (family === 0 || rest.length > 0 || !isPrefix) return text;
    const kind = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, bits, kind);
  }
  return list;
}

function isIn(list: BlockList, peer: string): boolean {
  // A socket for both families shows IPv4 addresses in this form.
  const address = peer.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
