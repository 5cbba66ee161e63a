import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, randomFillSync, type KeyObject } from 'node:crypto';
import {
  bindingOf,
  checkSeal,
  KEY_INFO,
  NONCE_BYTES,
  NOT_OURS,
  readToken,
  sequenceOf,
  TAG_BYTES,
  timesOf,
  writeHead,
} from '../state/seal.js';
import type { Seal, SealAbout, SealOptions, Unsealed } from '../state/seal.js';

/** A seal that works synchronously. */
export interface NodeSeal extends Seal {
  seal(text: string, about: SealAbout): string;
  unseal(token: string, about: SealAbout): Unsealed;
}

interface Key {
  readonly id: string;
  readonly key: KeyObject;
}

const CIPHER = 'aes-256-gcm';

// D-22
/** Makes a seal with `node:crypto`. */
export function nodeSeal(options: SealOptions): NodeSeal {
  const keys = checkSeal('nodeSeal', options).map(derive);
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  const { audience } = options;
  const first = keys[0] as Key;
  return {
    audience,
    seal(text, about) {
      const times = timesOf(about);
      const nonce = drawNonce();
      const cipher = createCipheriv(CIPHER, first.key, nonce);
      cipher.setAAD(Buffer.from(bindingOf(first.id, audience, about, times)));
      const data = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return writeHead(first.id, times) + data.toString('base64url');
    },
    unseal(token, about) {
      const read = readToken(token, about);
      if ('problem' in read) return read;
      const key = byId.get(read.key);
      const data = Buffer.from(read.data, 'base64url');
      if (key === undefined || data.length < NONCE_BYTES + TAG_BYTES || !isExact(data, read.data)) return { problem: NOT_OURS };
      const nonce = data.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(bindingOf(read.key, audience, about, read)));
      decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
      try {
        const text = decipher.update(data.subarray(NONCE_BYTES, data.length - TAG_BYTES)).toString('utf8') + decipher.final('utf8');
        return { text, sequence: sequenceOf(token) };
      } catch {
        return { problem: NOT_OURS };
      }
    },
  };
}

function derive(secret: Uint8Array): Key {
  const bits = Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), KEY_INFO, 32));
  const id = createHash('sha256').update(bits).digest().subarray(0, 6).toString('base64url');
  return { id, key: createSecretKey(bits) };
}

/** Checks that this is the one way to write these bytes: base64url allows other lengths and last characters. */
function isExact(data: Buffer, text: string): boolean {
  const odd = data.length % 3;
  const tail = odd === 0 ? '' : data.subarray(data.length - odd).toString('base64url');
  return text.length === Math.ceil((data.length * 4) / 3) && text.endsWith(tail);
}

/** A call into the generator costs as much as sealing, so it fills a page at a time. A nonce is used once. */
const page = Buffer.allocUnsafe(NONCE_BYTES * 256);
let used = page.length;

function drawNonce(): Buffer {
  if (used >= page.length) {
    randomFillSync(page);
    used = 0;
  }
  // A copy: the page must not show a nonce to code that keeps the token's bytes.
  return Buffer.from(page.subarray(used, (used += NONCE_BYTES)));
}
