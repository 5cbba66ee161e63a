/** Rules of capabilities and annotated tools. */
import { BASE, DERIVED, TOOLS, rule, type Requirement } from './rule.js';

export const capabilitiesRules: readonly Requirement[] = [
  rule('CAP-01', 'MUST', 'client', BASE, 'Capabilities are declared on each request and describe that request.'),
  rule('CAP-02', 'MUST NOT', 'server', BASE, 'Capabilities are never carried over from an earlier request.'),
  rule('CAP-03', 'MUST', 'server gateway', BASE, 'A missing capability is -32021 with 400 and the missing part in the data.'),
  rule('CAP-04', 'MUST NOT', 'server', BASE, "An input-required result never asks for what the request's capabilities do not cover."),
  rule('CAP-05', 'MUST', 'server', BASE, 'No declaration at all is -32602 with 400, not -32021.'),
  rule('CAP-10', 'MUST', 'server', TOOLS, 'A tool may be annotated with the capabilities it requires, in the shape of a declaration.'),
  rule(
    'CAP-11',
    'SHOULD',
    'server',
    TOOLS,
    'An annotation names hard requirements only: a tool that works without a capability does not list it.',
  ),
  rule('CAP-12', 'SHOULD', 'client', TOOLS, 'An annotation is met when each of its keys is declared, recursively.'),
  rule('CAP-13', 'SHOULD', 'client', TOOLS, 'The same holds inside extensions; core and extension requirements are all needed.'),
  rule('CAP-15', 'SHOULD', 'server', TOOLS, 'The server checks on every call and never relies on the annotation.'),
  rule(
    'CAP-16',
    'SHOULD',
    'client',
    TOOLS,
    'A call that fails for a missing capability shows that the list is stale: it is asked for again.',
  ),
  rule('CAP-17', 'SHOULD', 'server', TOOLS, 'One list serves all clients and needs no capability in its cache key.'),
  rule('CAP-20', 'SHOULD', 'server client', DERIVED, 'A bare elicitation declaration or requirement counts as form.'),
  rule(
    'CAP-21',
    'SHOULD',
    'server',
    DERIVED,
    'Only own properties count; false and null declare nothing; settings need equality, arrays a superset; unknown keys are unmet.',
  ),
  rule('CAP-22', 'SHOULD', 'server', DERIVED, 'The data of -32021 is cut down to what is missing and keeps the nested shape.'),
  rule('CAP-23', 'SHOULD', 'client', DERIVED, 'Annotations are untrusted: depth and size are capped.'),
  rule(
    'CAP-24',
    'SHOULD',
    'client',
    DERIVED,
    'A requirement of tasks is the extension io.modelcontextprotocol/tasks, which has no settings.',
  ),
  rule(
    'CAP-25',
    'SHOULD',
    'gateway',
    DERIVED,
    'A gateway forwards annotations as they are and declares upstream only what the client declared and it can relay.',
  ),
];
