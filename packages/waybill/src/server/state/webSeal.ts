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
  type Seal,
  type SealOptions,
} from './seal.js';

interface Key {
  readonly id: string;
  readonly key: CryptoKey;
}

/** A seal on WebCrypto, for any runtime. On Node `nodeSeal` does the same, several times faster; each opens what the other sealed. */
export function webSeal(options: SealOptions): Seal {
  const secrets = checkSeal('webSeal', options);
  const { audience } = options;
  let made: Promise<readonly Key[]> | undefined;
  const keys = (): Promise<readonly Key[]> => (made ??= Promise.all(secrets.map(derive)));
  return {
    audience,
    async seal(text, about) {
      const { id, key } = (await keys())[0] as Key;
      const times = timesOf(about);
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = await crypto.subtle.encrypt(algorithm(nonce, bindingOf(id, audience, about, times)), key, bytes(text));
      const data = new Uint8Array(NONCE_BYTES + sealed.byteLength);
      data.set(nonce);
      data.set(new Uint8Array(sealed), NONCE_BYTES);
      return writeHead(id, times) + base64url(data);
    },
    async unseal(token, about) {
      const read = readToken(token, about);
      if ('problem' in read) return read;
      const found = (await keys()).find(({ id }) => id === read.key);
      const data = found && fromBase64url(read.data);
      if (found === undefined || data === undefined || data.length < NONCE_BYTES + TAG_BYTES) return { problem: NOT_OURS };
      const nonce = data.subarray(0, NONCE_BYTES);
      try {
        const binding = bindingOf(read.key, audience, about, read);
        const text = await crypto.subtle.decrypt(algorithm(nonce, binding), found.key, data.subarray(NONCE_BYTES));
        return { text: new TextDecoder().decode(text), sequence: sequenceOf(token) };
      } catch {
        return { problem: NOT_OURS };
      }
    },
  };
}

async function derive(secret: Uint8Array): Promise<Key> {
  const { subtle } = crypto;
  const material = await subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, 'HKDF', false, ['deriveBits']);
  const bits = await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytes(KEY_INFO) }, material, 256);
  const key = await subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const digest = await subtle.digest('SHA-256', bits);
  return { id: base64url(new Uint8Array(digest).subarray(0, 6)), key };
}

function algorithm(iv: Uint8Array, binding: string): AesGcmParams {
  return { name: 'AES-GCM', iv: iv as Uint8Array<ArrayBuffer>, additionalData: bytes(binding), tagLength: TAG_BYTES * 8 };
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(data: Uint8Array): string {
  let text = '';
  for (let at = 0; at < data.length; at += 8_192) text += String.fromCharCode(...data.subarray(at, at + 8_192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns `undefined` if the text is not base64url, or not the one way to write those bytes. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const data = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    return base64url(data) === text ? data : undefined;
  } catch {
    return undefined;
  }
}
