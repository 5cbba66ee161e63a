/**
 * Session ids as clients see them. The id of the upstream is sealed together with the capabilities of the client, for one upstream and one principal.
 * So any replica with the key can serve a session, and for anybody else it does not exist.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { JsonObject } from 'waybill';
import { isObject, textOf } from '../json/values.js';

export interface SessionOwner {
  readonly upstream: string;
  readonly principal: string | undefined;
}

export interface SealedSession {
  /** The id as the upstream, or the face in front of it, knows it. */
  readonly id: string;
  /** The capabilities that the client declared with `initialize`; undefined if they were too long to be kept in the id. */
  readonly capabilities: JsonObject | undefined;
}

const LONGEST_CAPABILITIES = 2_000;
const IV = 12;
const TAG = 16;

export class SessionSeal {
  readonly #keys: readonly Buffer[];
  readonly #replica: string | undefined;

  /**
   * New ids are sealed with the first secret; ids of any listed secret can be opened, so secrets can be exchanged without ending sessions.
   * `replica`: stands in the clear in front of each id, so that a proxy can route by it.
   */
  constructor(secrets: readonly string[], replica?: string) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'waybill gateway session', 32)));
    this.#replica = replica;
  }

  seal({ id, capabilities }: SealedSession, owner: SessionOwner): string {
    const known = capabilities !== undefined && JSON.stringify(capabilities).length <= LONGEST_CAPABILITIES ? [capabilities] : [];
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0] as Buffer, iv).setAAD(associatedData(owner));
    const sealed = Buffer.concat([iv, cipher.update(JSON.stringify([id, ...known]), 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.#replica === undefined ? '' : `${this.#replica}.`}${sealed.toString('base64url')}`;
  }

  /** Undefined if it is not a session of this owner. */
  open(text: string, owner: SessionOwner): SealedSession | undefined {
    const encoded = text.slice(text.lastIndexOf('.') + 1);
    const sealed = Buffer.from(encoded, 'base64url');
    // Node skips what is not base64url: one session would have many ids.
    if (sealed.length <= IV + TAG || sealed.toString('base64url') !== encoded) return undefined;
    for (const key of this.#keys) {
      const opened = openWith(key, sealed, owner);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }
}

function openWith(key: Buffer, sealed: Buffer, owner: SessionOwner): SealedSession | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG })
    .setAAD(associatedData(owner))
    .setAuthTag(sealed.subarray(-TAG));
  try {
    const plain = decipher.update(sealed.subarray(IV, -TAG), undefined, 'utf8') + decipher.final('utf8');
    const [id, capabilities] = JSON.parse(plain) as unknown[];
    return { id: textOf(id) ?? '', capabilities: isObject(capabilities) ? (capabilities as JsonObject) : undefined };
  } catch {
    return undefined;
  }
}

function associatedData({ upstream, principal }: SessionOwner): Buffer {
  return Buffer.from(JSON.stringify([upstream, principal ?? null]));
}
