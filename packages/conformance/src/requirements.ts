/**
 * Every rule the kit can see on the wire. "derived" marks a rule that no proposal states: an implementation has to choose there, and the
 * kit warns about another choice. A rule without a keyword that defines the wire (where a value stands, what null means) counts as MUST.
 */
import type { Role } from './check.js';

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT';

export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly who: readonly Role[];
  readonly text: string;
  readonly source: string;
}

const rule = (id: string, level: Level, who: string, source: string, text: string): Requirement => ({
  id,
  level,
  who: who.split(' ') as Role[],
  source,
  text,
});

const BASE = 'specification 2026-07-28';
const LANGUAGE = 'SEP-2792 at ce12e646';
const CONTEXT = 'SEP-1809';
const STATE = 'SEP-1655';
const TRACE = 'SEP-414, specification 2026-07-28';
const TOOLS = 'transports-wg #31 at f03d16c';
const DERIVED = 'derived';

export const REQUIREMENTS: readonly Requirement[] = [
  rule('BASE-01', 'MUST', 'client server', BASE, 'Every request names its protocol version and its client capabilities in `_meta`; without one of the two it is refused with -32602 and 400.'),
  rule('BASE-02', 'MUST NOT', 'server', BASE, 'Nothing is concluded from an earlier request, the connection or the process; what spans requests is named by the client each time.'),
  rule('BASE-03', 'MUST', 'server', BASE, 'A capability this request needs and does not declare is refused with -32021 and 400; the data holds the missing ones as an object, never a list of names.'),
  rule('BASE-04', 'MUST NOT', 'server', BASE, 'Codes of the specification\'s bands are sent only with the meaning the specification gives them; own codes lie outside -32768…-32000.'),
  rule('BASE-07', 'MUST', 'client gateway', BASE, 'Over HTTP each POST repeats version, method and, where there is one, name in headers that equal the body.'),
  rule('BASE-08', 'MUST', 'server', BASE, 'A required header that is missing, malformed or unlike the body is answered with 400 and -32020.'),
  rule('BASE-09', 'MUST', 'gateway', BASE, 'An intermediary that reads the body applies the same agreement test and answers a disagreement with a fitting HTTP error.'),
  rule('BASE-10', 'MUST', 'server', BASE, 'Complete results of discover, lists and reads carry `ttlMs` and `cacheScope`; one scope for all pages of a list, no hints on input-required results.'),
  rule('BASE-11', 'MUST NOT', 'client gateway', BASE, 'A cached answer never serves a request whose method or result-affecting params differ; answers to retries are not cached at all.'),
  rule('BASE-13', 'SHOULD', 'server', BASE, 'Tools are listed in the same order every time.'),
  rule('BASE-14', 'MUST', 'server client gateway', BASE, 'Input is asked for only through input-required results; their request state is opaque to the client, echoed once, and untrusted when it returns.'),
  rule('BASE-15', 'MUST', 'server', BASE, 'Every result has a `resultType`; a client reads its absence as complete and takes an unknown one for invalid.'),
  rule('BASE-16', 'MUST', 'server', BASE, 'A bare elicitation capability means the form mode; a mode that was not declared is not used.'),
  rule('LANG-01', 'SHOULD', 'client', LANGUAGE, 'A known preference goes on every request, whatever the method, and on every leg of a multi-round-trip.'),
  rule('LANG-02', 'MUST', 'client', LANGUAGE, 'The preference is a string in the syntax of the Accept-Language field: basic ranges, optional weights of at most three decimals.'),
  rule('LANG-04', 'MUST NOT', 'server', LANGUAGE, 'A preference is never tied to a connection or session.'),
  rule('LANG-05', 'MUST NOT', 'server', LANGUAGE, 'A preference of an earlier request is not used for a later one that changed or dropped it.'),
  rule('LANG-06', 'MUST', 'server', LANGUAGE, 'All that is produced for one request, progress and elicitation included, uses the language chosen for it.'),
  rule('LANG-08', 'MUST', 'server', LANGUAGE, 'Matching is compatible with HTTP negotiation and RFC 4647, weights and `*` included.'),
  rule('LANG-10', 'MUST', 'server', LANGUAGE, 'Without a match the server\'s default is used; that alone is never an error.'),
  rule('LANG-11', 'MUST', 'server', LANGUAGE, 'The grammar is checked before anything matches; a malformed preference counts as none and causes no error.'),
  rule('LANG-14', 'SHOULD', 'server', LANGUAGE, 'A tool\'s own language argument beats the preference for the content it governs.'),
  rule('LANG-15', 'SHOULD', 'server', DERIVED, '`q=0` excludes and is not widened; the most specific range decides a tag\'s weight; ties go by position; if nothing is left the default applies.'),
  rule('LANG-16', 'SHOULD', 'server', DERIVED, 'A preference that is no string is absent; one that is empty or only commas is none; empty members are accepted and never written.'),
  rule('LANG-20', 'MUST', 'server', LANGUAGE, 'A server that honours the preference reports the language it really used, the fallback too.'),
  rule('LANG-21', 'MUST', 'server', LANGUAGE, 'The report has the syntax of the Content-Language field: one or more BCP 47 tags.'),
  rule('LANG-22', 'MUST', 'server', LANGUAGE, 'The report stands in the result\'s `_meta`, complete or input-required.'),
  rule('LANG-23', 'MUST', 'server', LANGUAGE, 'For an error it stands in `error.data._meta`; the data is then an object and the code stays as it is.'),
  rule('LANG-24', 'MUST', 'server', LANGUAGE, 'For a localised notification of the request it stands in the params\' `_meta`, with no header.'),
  rule('LANG-28', 'SHOULD', 'server', DERIVED, 'What is reported is the tag of the catalogue, not an echo of the request.'),
  rule('LANG-30', 'SHOULD', 'server', LANGUAGE, 'Titles, elicitation messages and property texts, and progress messages are translated where a translation exists.'),
  rule('LANG-33', 'MUST NOT', 'server', LANGUAGE, 'Names, URIs, MIME types, keys, enum values, discriminators, ids, codes, versions and tokens are never translated.'),
  rule('LANG-40', 'MUST', 'client', LANGUAGE, 'Over HTTP the preference is mirrored in an Accept-Language header with exactly that value.'),
  rule('LANG-41', 'MUST', 'server client', LANGUAGE, 'A mirrored language header is exactly one field line.'),
  rule('LANG-42', 'MUST', 'server', LANGUAGE, 'Agreement compares the untouched body string with the field value, repeated lines joined by comma and space, character for character.'),
  rule('LANG-43', 'MUST', 'server', LANGUAGE, 'The header is read through an interface that shows all its lines.'),
  rule('LANG-44', 'MUST NOT', 'server', LANGUAGE, 'A missing header beside a preference in the body is no reason to refuse.'),
  rule('LANG-45', 'MUST NOT', 'server', LANGUAGE, 'A header alone makes no preference.'),
  rule('LANG-46', 'MUST', 'server', LANGUAGE, 'Header and body that do not agree are refused with 400 and -32020.'),
  rule('LANG-47', 'MUST', 'server', LANGUAGE, 'Agreement comes before grammar: equal malformed values agree, unequal ones are refused.'),
  rule('LANG-48', 'MUST', 'server', LANGUAGE, 'A JSON answer that reports a language repeats exactly that value in Content-Language.'),
  rule('LANG-49', 'MUST', 'client', LANGUAGE, 'An answer whose language header and body disagree is malformed and surfaces as an error.'),
  rule('LANG-50', 'MUST', 'server', LANGUAGE, 'An event stream may go without Content-Language; if it has one, every report on the stream agrees with it.'),
  rule('LANG-52', 'MUST', 'gateway', LANGUAGE, 'An intermediary keeps a mirrored field exactly as it is or removes it.'),
  rule('LANG-53', 'SHOULD', 'gateway', DERIVED, 'Who re-originates a request changes header and body together or neither.'),
  rule('LANG-60', 'MUST', 'client gateway', LANGUAGE, 'A cache keys by the preference\'s value wherever the answer varies by language.'),
  rule('LANG-62', 'MUST', 'server', LANGUAGE, 'Every HTTP answer that varies by language says so in Vary, added to what is there.'),
  rule('LANG-63', 'MUST', 'server', LANGUAGE, 'Where a shared cache cannot see the preference the answer is made private.'),
  rule('CTX-03', 'MUST', 'client', CONTEXT, 'The zone is an IANA time zone identifier.'),
  rule('CTX-04', 'MUST', 'client', CONTEXT, 'The timestamp is an RFC 3339 date-time with an offset, read from the user\'s clock.'),
  rule('CTX-05', 'MUST', 'client', CONTEXT, 'The locale is a BCP 47 tag and meant for regional formats.'),
  rule('CTX-06', 'MUST', 'client', CONTEXT, 'The location is a coarse hint: city, region, two-letter country, coordinates, each optional.'),
  rule('CTX-07', 'MUST', 'server', CONTEXT, 'A server reads the fields that are there and uses them to interpret time.'),
  rule('CTX-08', 'MUST', 'server', CONTEXT, 'With a zone given, relative expressions are read in that zone.'),
  rule('CTX-09', 'MUST', 'server', CONTEXT, 'With a timestamp given, that instant is the user\'s now.'),
  rule('CTX-13', 'SHOULD', 'client', CONTEXT, 'Values are those of the moment of the request; the timestamp is taken per call.'),
  rule('CTX-14', 'MUST', 'server gateway', CONTEXT, 'Context works on every transport and leaves peers that do not know it undisturbed.'),
  rule('CTX-15', 'MUST', 'client', CONTEXT, 'Context is explicit metadata, never inferred by a model and never among tool arguments.'),
  rule('CTX-20', 'SHOULD', 'client', DERIVED, 'It is written into `_meta`, under a configurable key, since SDKs refuse or drop the seed\'s place.'),
  rule('CTX-21', 'SHOULD', 'server', DERIVED, 'The seed\'s form is still accepted where it can be seen and lifted; `_meta` wins.'),
  rule('CTX-22', 'SHOULD', 'server', DERIVED, 'Each member is checked on its own: a bad one is dropped, the rest stays, the call goes on.'),
  rule('CTX-23', 'SHOULD', 'server', DERIVED, 'Zone ids match without case and with links, and keep their spelling; what Intl gets wrong about names is not trusted.'),
  rule('CTX-24', 'SHOULD', 'server', DERIVED, 'A day runs from the first instant of its date in the zone to the first of the next, however many hours that is.'),
  rule('CTX-26', 'SHOULD', 'server', DERIVED, 'A timestamp alone gives a fixed-offset zone; a zone alone means the server\'s clock in that zone.'),
  rule('CTX-27', 'SHOULD', 'server', DERIVED, 'Where offset and zone disagree the instant stands, boundaries follow the zone, and the tool can see the disagreement.'),
  rule('CTX-31', 'SHOULD', 'gateway', DERIVED, 'A gateway forwards or drops whole members and may coarsen location; it never sets a new timestamp.'),
  rule('STATE-01', 'MUST', 'client', STATE, 'A client that keeps state declares the capability, today on every request.'),
  rule('STATE-03', 'MUST', 'server', STATE, 'State is a dictionary under one of the two scope keys; both may appear.'),
  rule('STATE-04', 'MUST', 'server client', STATE, 'A name is any string, a value any JSON.'),
  rule('STATE-05', 'MUST', 'server client', STATE, 'Null at the top deletes a name; nested nulls are data; an empty dictionary changes nothing, one that is no object is ignored.'),
  rule('STATE-06', 'MUST', 'client', STATE, 'Names that a result does not mention stay.'),
  rule('STATE-07', 'MUST', 'client', STATE, 'A name that is set again loses its whole old value.'),
  rule('STATE-08', 'MUST', 'client', STATE, 'All state of a server goes on every request to it, under the same keys.'),
  rule('STATE-09', 'SHOULD NOT', 'client', STATE, 'A key with nothing under it is not sent.'),
  rule('STATE-10', 'MUST NOT', 'server client', STATE, 'Notifications carry no state.'),
  rule('STATE-12', 'MUST', 'server', STATE, 'State can vanish at any time; a server works without it.'),
  rule('STATE-13', 'SHOULD', 'server', DERIVED, 'A server sets state only when this very request declared the capability.'),
  rule('STATE-22', 'SHOULD', 'client', DERIVED, 'One name may live in both scopes, independently, and both are sent.'),
  rule('STATE-30', 'MUST', 'client', STATE, 'State goes only to the server that set it.'),
  rule('STATE-32', 'MUST NOT', 'client', STATE, 'Nothing is kept for localhost or for IP addresses.'),
  rule('STATE-37', 'SHOULD', 'client', DERIVED, 'Where nothing may be kept the capability is not declared, nothing is taken and nothing sent.'),
  rule('STATE-43', 'SHOULD', 'server', DERIVED, 'State that comes back is attacker-controlled: sealed, bound to principal and expiry where it matters.'),
  rule('STATE-44', 'SHOULD', 'gateway', DERIVED, 'A gateway keeps one jar per upstream and never mixes them.'),
  rule('TRACE-01', 'MUST', 'server client gateway', TRACE, 'The three trace keys are bare names in `_meta`; prefixed variants are wrong.'),
  rule('TRACE-02', 'MUST', 'client gateway', TRACE, 'Their values follow W3C Trace Context and Baggage.'),
  rule('TRACE-03', 'MUST', 'server', TRACE, 'Any request may carry trace context; a server accepts it.'),
  rule('TRACE-04', 'MUST', 'server gateway', TRACE, 'Unknown `_meta` keys are ignored.'),
  rule('TRACE-06', 'MUST', 'client gateway', TRACE, 'A progress token is a string or an integer and is carried as it is; progress is sent only for active tokens.'),
  rule('TRACE-08', 'MUST', 'server', TRACE, 'A difference between the HTTP header and `_meta` is never a reason to refuse.'),
  rule('TRACE-09', 'SHOULD', 'server', DERIVED, 'An invalid traceparent is ignored together with tracestate; versions above 00 are read by their first four fields.'),
  rule('TRACE-11', 'SHOULD', 'server gateway', DERIVED, 'A hop that takes part makes a new parent id within the same trace; one that does not passes the keys byte for byte.'),
  rule('CAP-01', 'MUST', 'client', BASE, 'Capabilities are declared on each request and describe that request.'),
  rule('CAP-02', 'MUST NOT', 'server', BASE, 'Capabilities are never carried over from an earlier request.'),
  rule('CAP-03', 'MUST', 'server gateway', BASE, 'A missing capability is -32021 with 400 and the missing part in the data.'),
  rule('CAP-04', 'MUST NOT', 'server', BASE, 'An input-required result never asks for what the request\'s capabilities do not cover.'),
  rule('CAP-05', 'MUST', 'server', BASE, 'No declaration at all is -32602 with 400, not -32021.'),
  rule('CAP-10', 'MUST', 'server', TOOLS, 'A tool may be annotated with the capabilities it requires, in the shape of a declaration.'),
  rule('CAP-12', 'SHOULD', 'client', TOOLS, 'An annotation is met when each of its keys is declared, recursively.'),
  rule('CAP-13', 'SHOULD', 'client', TOOLS, 'The same holds inside extensions; core and extension requirements are all needed.'),
  rule('CAP-15', 'SHOULD', 'server', TOOLS, 'The server checks on every call and never relies on the annotation.'),
  rule('CAP-17', 'SHOULD', 'server', TOOLS, 'One list serves all clients and needs no capability in its cache key.'),
  rule('CAP-20', 'SHOULD', 'server client', DERIVED, 'A bare elicitation declaration or requirement counts as form.'),
  rule('CAP-21', 'SHOULD', 'server', DERIVED, 'Only own properties count; false and null declare nothing; settings need equality, arrays a superset; unknown keys are unmet.'),
  rule('CAP-22', 'SHOULD', 'server', DERIVED, 'The data of -32021 is cut down to what is missing and keeps the nested shape.'),
  rule('CAP-25', 'SHOULD', 'gateway', DERIVED, 'A gateway forwards annotations as they are and declares upstream only what the client declared and it can relay.'),
  rule('IX-09', 'SHOULD', 'server', DERIVED, 'A cached result does not apply its state again; a result that sets state is not public; lists do not vary by state.'),
  rule('IX-14', 'SHOULD', 'client', DERIVED, 'Each leg of a multi-round-trip has its own timestamp and span within the same trace.'),
];

export const requirement: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((one) => [one.id, one]));

