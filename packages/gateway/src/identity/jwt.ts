/** `jwt`: bearer tokens, verified by the keys of their issuer. */
import type * as Jose from 'jose';
import { Refusal } from '../answer.js';
import type { JwtConfig } from '../config/types.js';
import { own, textOf } from '../json/values.js';
import { optional } from '../operations/optional.js';
import { principalOf, type Identity, type IdentityParts } from './identity.js';
import { KeySet, NoKeys } from './keySet.js';
import { metadataAddress, metadataOf } from './metadata.js';

/** Signatures by a private key of the issuer. `none` and secrets that both sides know are not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

export async function jwtIdentity(config: JwtConfig, { now, log }: IdentityParts): Promise<Identity> {
  const { issuer, audience, claim, skew, jwks } = config;
  const jose = await optional(['jose'], 'identity.jwt', () => import('jose'));
  const keys = new KeySet({ issuer, jwks, now, log: (message) => log({ level: 'warn', message }) });
  const address = metadataAddress(config.resource);

  async function verified(token: string): Promise<Jose.JWTPayload> {
    const options = {
      ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp', claim] },
      ...{ clockTolerance: skew / 1000, currentDate: new Date(now()) },
    };
    const check = async (): Promise<Jose.JWTPayload> => {
      const found = jose.createLocalJWKSet(await keys.keys());
      try {
        return (await jose.jwtVerify(token, found, options)).payload;
      } catch (error) {
        if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
        return await byAnyOf(error, token, options);
      }
    };
    try {
      return await check();
    } catch (error) {
      // The issuer may have a new key.
      if (!(error instanceof jose.errors.JWKSNoMatchingKey) || !(await keys.refresh())) throw error;
      return check();
    }
  }

  /** The token names no key, and several fit. */
  async function byAnyOf(fitting: AsyncIterable<Jose.CryptoKey>, token: string, options: Jose.JWTVerifyOptions): Promise<Jose.JWTPayload> {
    for await (const key of fitting) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload;
      } catch (error) {
        if (!(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }

  function challenge(problem?: string): Refusal {
    const why = problem === undefined ? '' : `error="invalid_token", error_description="${problem}", `;
    return new Refusal(401, -32000, `Unauthorized: ${problem ?? 'send an access token'}`, undefined, {
      'www-authenticate': `Bearer ${why}resource_metadata="${address}"`,
    });
  }

  return {
    metadata: (path) => metadataOf(config, path),
    async identify({ headers }) {
      const token = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
      if (token === undefined) throw challenge();
      let payload: Jose.JWTPayload;
      try {
        payload = await verified(token);
      } catch (error) {
        if (error instanceof NoKeys)
          throw new Refusal(503, -32000, 'Service Unavailable: the keys of the token issuer cannot be read', undefined, {
            'retry-after': '5',
          });
        throw challenge(problemOf(error, jose, claim));
      }
      const subject = textOf(own(payload, claim));
      if (subject === undefined || subject === '') throw challenge(`the claim ${claim} names nobody`);
      return { principal: principalOf(issuer, subject) };
    },
  };
}

/** Fixed words: nothing of a token that was not verified is repeated. */
function problemOf(error: unknown, { errors }: Pick<typeof Jose, 'errors'>, claim: string): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'the token is for another audience';
    if (error.claim === 'iss') return 'the token is of another issuer';
    if (error.claim === 'nbf') return 'the token is not valid yet';
    return error.claim === 'exp' || error.claim === claim ? `the token has no claim ${error.claim}` : 'the token is not valid';
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'no key of the issuer fits the token';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature is wrong';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the token is signed in a way that is not accepted';
  return 'the token cannot be read';
}
