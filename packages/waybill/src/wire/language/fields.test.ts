import { describe, expect, it } from 'vitest';
import { translation, translationRule, type TranslatedType, type TranslationRule } from './fields.js';

type Row = [type: TranslatedType, path: string, rule: TranslationRule];
const titled: TranslatedType[] = [
  'Implementation',
  'Tool',
  'Resource',
  'ResourceTemplate',
  'Prompt',
  'PromptArgument',
  'PromptReference',
  'ToolAnnotations',
];
const described: TranslatedType[] = ['Tool', 'Resource', 'ResourceTemplate', 'Prompt', 'PromptArgument', 'Implementation'];

const display: Row[] = [
  ...titled.map((type): Row => [type, 'title', 'should']),
  ['Tool', 'annotations.title', 'should'],
  ['Prompt', 'arguments.0.title', 'should'],
  ['ElicitRequestFormParams', 'message', 'should'],
  ['ElicitRequestURLParams', 'message', 'should'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.city.title', 'should'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.city.description', 'should'],
  ['ProgressNotificationParams', 'message', 'should'],
  ['Error', 'message', 'may'],
  ...described.map((type): Row => [type, 'description', 'may']),
  ['Tool', 'inputSchema.properties.city.title', 'may'],
  ['Tool', 'inputSchema.properties.a.properties.b.items.description', 'may'],
  ['Tool', 'outputSchema.description', 'may'],
  ['DiscoverResult', 'instructions', 'may'],
  ['LoggingMessageNotificationParams', 'data.text', 'may'],
  ['CallToolResult', 'content.0.text', 'may'],
  ['ReadResourceResult', 'contents.2.text', 'may'],
];

const identifiers: Row[] = [
  ['Tool', 'name', 'mustNot'],
  ['Prompt', 'arguments.1.name', 'mustNot'],
  ['Resource', 'uri', 'mustNot'],
  ['ResourceTemplate', 'uriTemplate', 'mustNot'],
  ['Resource', 'mimeType', 'mustNot'],
  ['Tool', 'inputSchema.properties.kind.enum.0', 'mustNot'],
  ['Tool', 'inputSchema.properties.kind.const', 'mustNot'],
  ['Tool', 'inputSchema.properties.kind.default.title', 'mustNot'],
  ['Tool', 'inputSchema.type', 'mustNot'],
  ['Tool', '_meta.title', 'mustNot'],
  ['CallToolResult', 'resultType', 'mustNot'],
  ['CallToolResult', 'content.0.type', 'mustNot'],
  ['GetPromptResult', 'messages.0.role', 'mustNot'],
  ['Error', 'code', 'mustNot'],
  ['ProgressNotificationParams', 'progressToken', 'mustNot'],
  ['InputRequiredResult', 'requestState', 'mustNot'],
  ['InitializeResult', 'protocolVersion', 'mustNot'],
  ['Tool', 'somethingNew', 'mustNot'],
];

const options: Row[] = [
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.oneOf.0.title', 'should'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.items.anyOf.1.title', 'should'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.enumNames.0', 'should'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.oneOf.0.const', 'mustNot'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.items.anyOf.1.const', 'mustNot'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.enum.0', 'mustNot'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.default', 'mustNot'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.format', 'mustNot'],
  ['ElicitRequestFormParams', 'requestedSchema.properties.size.pattern', 'mustNot'],
];

const rule = (type: TranslatedType, path: string) => translationRule(type, path.split('.'));

describe('fields that may be translated', () => {
  it.each(display)('display text of %s at %s: %s', (type, path, expected) => {
    expect(rule(type, path)).toBe(expected);
  });

  it.each(identifiers)('LANG-33: an identifier of %s at %s is never translated', (type, path, expected) => {
    expect(rule(type, path)).toBe(expected);
  });

  it.each(options)('LANG-34: an option of %s at %s: %s', (type, path, expected) => {
    expect(rule(type, path)).toBe(expected);
  });

  it('a property with the name of a keyword is a property', () => {
    expect(rule('Tool', 'inputSchema.properties.title.type')).toBe('mustNot');
    expect(rule('Tool', 'inputSchema.properties.title.title')).toBe('may');
    expect(translationRule('ElicitRequestFormParams', ['requestedSchema', 'properties', 'a.b', 'title'])).toBe('should');
  });

  it('a deep schema is walked without recursion', () => {
    const deep = ['inputSchema', ...Array.from({ length: 100_000 }, () => 'items'), 'title'];
    expect(translationRule('Tool', deep)).toBe('may');
  });

  it('every path of the table is found under its own rule', () => {
    for (const [type, rules] of Object.entries(translation)) {
      for (const [pattern, expected] of Object.entries(rules)) {
        expect([
          pattern,
          translationRule(
            type as TranslatedType,
            pattern.split('.').map((step) => step.replaceAll('*', 'x')),
          ),
        ]).toEqual([pattern, expected]);
      }
    }
  });
});
