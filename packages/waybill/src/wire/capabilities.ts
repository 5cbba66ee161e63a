/**
 * Capabilities: SEP-2575, Final, part of 2026-07-28, and transports-wg #31 "Required Capabilities for Tools", a draft. Every request
 * declares what its client can do, and the server infers nothing from earlier ones (CAP-01, CAP-02). `{}` means "nothing"; no declaration
 * at all is a different case (CAP-05). A tool may say what it needs, and a call without it is refused with the missing part (CAP-10,
 * CAP-03). Answers carry no capabilities.
 */
import type { Concern } from './concern.js';
import { own, type JsonObject, type Meta } from './json.js';
import { CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES, PROTOCOL_VERSION } from './keys.js';
import { checkCapabilities, readDeclaration } from './capabilities/bounds.js';
import { canonicalJson } from './capabilities/canonical.js';

export { hasCapabilities, joinRequirements, missingCapabilities, reaches, requireCapabilities } from './capabilities/match.js';
export { chooseTools, readRequirement, writeRequirement, type ChooseToolsOptions, type Requirement } from './capabilities/tools.js';

/** The keys of a declaration, in order of precedence. */
const KEYS = [CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES] as const;

/**
 * Returns the key for a declaration in this message. The reserved key belongs to the envelope: without a protocol version beside it (a
 * 2025-11-25 connection) a strict server refuses the message.
 */
export function capabilitiesKey(meta: Meta): string {
  return own(meta, PROTOCOL_VERSION) === undefined ? OWN_CLIENT_CAPABILITIES : CLIENT_CAPABILITIES;
}

// IX-01
/** Gives equal sets the same text, in any order of their names. Cache keys of lists need it. */
export function canonicalCapabilities(declared: JsonObject | undefined): string {
  return declared === undefined ? '' : canonicalJson(declared);
}

/** Each of these is a promise to answer a question of the server. */
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots']);

// D-29
/** Leaves out the capabilities that need a connection on which a server can ask its client. */
export function withoutQuestions(declared: JsonObject | undefined): JsonObject | undefined {
  return declared && Object.fromEntries(Object.entries(declared).filter(([name]) => !QUESTIONS.has(name)));
}

export const capabilities: Concern<JsonObject, never, never, never> = {
  name: 'capabilities',
  keys: () => KEYS,
  request: {
    /** Reads the first usable declaration. A second one in the same message is reported. */
    read: (meta, report) => {
      let declared: JsonObject | undefined;
      for (const key of KEYS) {
        const value = readDeclaration(own(meta, key), key, report);
        if (value === undefined) continue;
        if (declared === undefined) declared = value;
        else report({ concern: 'capabilities', key, problem: `is not read beside ${CLIENT_CAPABILITIES}` });
      }
      return declared;
    },
    /** Writes the reserved key. `capabilitiesKey` returns the key that the message needs. */
    write: (value, report) => {
      const declared = checkCapabilities(value, CLIENT_CAPABILITIES, report);
      return declared === undefined ? {} : { [CLIENT_CAPABILITIES]: declared };
    },
  },
};
