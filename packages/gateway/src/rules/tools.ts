/** Capabilities and tools: which tools are offered, what they are called, and what a client must be able to do to call one. */
import type { JsonObject } from 'waybill';
import { ignore, missingCapabilities, readRequirement, refusals, writeRequirement } from 'waybill/adapter';
import { wholeAnswer, type Answer } from '../answer.js';
import type { ToolsConfig } from '../config/types.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { errorText, type Message } from '../message.js';
import type { Hop, Rule } from './rule.js';

export function toolsRule({ include, exclude, override, requires, unmet }: ToolsConfig): Rule {
  const isIncluded = matcher(include);
  const isExcluded = matcher(exclude);
  const isOffered = (name: string): boolean => isIncluded(name) && !isExcluded(name);

  function missing(required: JsonObject | undefined, { capabilities }: Hop): JsonObject | undefined {
    // Nothing is known of a session that began elsewhere: the upstream decides.
    return required === undefined || capabilities === undefined ? undefined : missingCapabilities(required, capabilities);
  }

  function changed(tool: unknown, name: string): unknown {
    if (!isObject(tool)) return tool;
    const given = own(override, name) as JsonRecord | undefined;
    const required = own(requires, name) as JsonObject | undefined;
    const named = given === undefined ? tool : { ...tool, ...given };
    return required === undefined ? named : writeRequirement(named, { required }, ignore);
  }

  return {
    name: 'tools',
    request(hop): Answer | undefined {
      const { message } = hop;
      const { name } = message;
      if (message.method !== 'tools/call' || name === undefined) return undefined;
      if (!isOffered(name)) return wholeAnswer(errorText(message.idText, -32602, `Unknown tool: ${name}`));
      const lacking = missing(own(requires, name) as JsonObject | undefined, hop);
      if (lacking === undefined) return undefined;
      const { code, message: problem, status } = refusals['missing-capability'];
      const text = errorText(message.idText, code, problem, { requiredCapabilities: lacking });
      // D-13: a 2025 client would lose the code in a 400.
      return wholeAnswer(text, hop.era === 'modern' ? status : 200);
    },
    looksAt: ({ message }) => message.method === 'tools/list',
    answer(message: Message, hop: Hop) {
      const tools = at(message.value, 'result', 'tools');
      if (!Array.isArray(tools)) return;
      const nameOf = (tool: unknown): string => textOf(own(tool, 'name')) ?? '';
      message.become(
        ['result', 'tools'],
        tools.filter((tool) => isOffered(nameOf(tool))),
      );
      const offered = at(message.value, 'result', 'tools') as unknown[];
      message.become(
        ['result', 'tools'],
        offered.map((tool) => changed(tool, nameOf(tool))),
      );
      if (unmet !== 'filter') return;
      const annotated = at(message.value, 'result', 'tools') as unknown[];
      const usable = annotated.filter((tool) => missing(readRequirement(tool, ignore).required, hop) === undefined);
      message.become(['result', 'tools'], usable);
      // D-14: another client may be able to use other tools.
      if (at(message.value, 'result', 'cacheScope') !== undefined) message.set(['result', 'cacheScope'], 'private');
    },
  };
}

/** Names with `*` for any part. */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  const all = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, 's'));
  return (name) => all.some((pattern) => pattern.test(name));
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
