/** The fields of the protocol that may be translated, as data for both the localiser and the guard (LANG-30…LANG-34, D-11). */

/** `should`: translated if there is a text. `may`: only if the author opts in, since the model reads it, too. `mustNot`: never. */
export type TranslationRule = 'should' | 'may' | 'mustNot';

/** A path from the object of that type: names joined by dots; `*` is any one name or index, `**` any number of them, none included. */
export type FieldRules = Readonly<Record<string, TranslationRule>>;

/** LANG-32. Members with values come first: a `title` inside a `default` is data, not a title. */
const schemaRules = (schema: string): FieldRules => ({
  [`${schema}.**.default.**`]: 'mustNot',
  [`${schema}.**.const.**`]: 'mustNot',
  [`${schema}.**.enum.**`]: 'mustNot',
  [`${schema}.**.examples.**`]: 'mustNot',
  [`${schema}.**.title`]: 'may',
  [`${schema}.**.description`]: 'may',
});

const named: FieldRules = { name: 'mustNot', title: 'should', description: 'may', 'icons.**': 'mustNot', '_meta.**': 'mustNot' };
const resource: FieldRules = { ...named, uri: 'mustNot', mimeType: 'mustNot', size: 'mustNot', 'annotations.**': 'mustNot' };

/** LANG-32: the content of tools, prompts and resources is the author's own text. */
const content = (list: string): FieldRules => ({
  [`${list}.type`]: 'mustNot',
  [`${list}.uri`]: 'mustNot',
  [`${list}.name`]: 'mustNot',
  [`${list}.mimeType`]: 'mustNot',
  [`${list}.data`]: 'mustNot',
  [`${list}.blob`]: 'mustNot',
  [`${list}.title`]: 'should',
  [`${list}.description`]: 'may',
  [`${list}.text`]: 'may',
  [`${list}.resource.text`]: 'may',
});

/** A property of an elicitation form: its words may change, its values may not (LANG-30, LANG-34). */
const FORM = 'requestedSchema.properties.*';

export type TranslatedType =
  | 'Implementation'
  | 'Tool'
  | 'ToolAnnotations'
  | 'Resource'
  | 'ResourceLink'
  | 'ResourceTemplate'
  | 'Prompt'
  | 'PromptArgument'
  | 'PromptReference'
  | 'ElicitRequestFormParams'
  | 'ElicitRequestURLParams'
  | 'ProgressNotificationParams'
  | 'LoggingMessageNotificationParams'
  | 'Error'
  | 'DiscoverResult'
  | 'InitializeResult'
  | 'CallToolResult'
  | 'GetPromptResult'
  | 'ReadResourceResult'
  | 'InputRequiredResult';

export const translation: Readonly<Record<TranslatedType, FieldRules>> = {
  Implementation: { ...named, version: 'mustNot', websiteUrl: 'mustNot' },
  Tool: { ...named, 'annotations.title': 'should', ...schemaRules('inputSchema'), ...schemaRules('outputSchema') },
  ToolAnnotations: { title: 'should' },
  Resource: resource,
  ResourceLink: { ...resource, type: 'mustNot' },
  ResourceTemplate: { ...resource, uriTemplate: 'mustNot' },
  Prompt: { ...named, 'arguments.*.name': 'mustNot', 'arguments.*.title': 'should', 'arguments.*.description': 'may' },
  PromptArgument: named,
  PromptReference: { type: 'mustNot', name: 'mustNot', title: 'should' },
  ElicitRequestFormParams: {
    mode: 'mustNot',
    message: 'should',
    [`${FORM}.title`]: 'should',
    [`${FORM}.description`]: 'should',
    [`${FORM}.oneOf.*.title`]: 'should',
    [`${FORM}.items.anyOf.*.title`]: 'should',
    [`${FORM}.enumNames.*`]: 'should',
    [`${FORM}.oneOf.*.const`]: 'mustNot',
    [`${FORM}.items.anyOf.*.const`]: 'mustNot',
    [`${FORM}.enum.*`]: 'mustNot',
    [`${FORM}.items.enum.*`]: 'mustNot',
    [`${FORM}.type`]: 'mustNot',
    [`${FORM}.default.**`]: 'mustNot',
    [`${FORM}.format`]: 'mustNot',
    [`${FORM}.pattern`]: 'mustNot',
  },
  ElicitRequestURLParams: { mode: 'mustNot', message: 'should', url: 'mustNot', elicitationId: 'mustNot' },
  ProgressNotificationParams: { message: 'should', progressToken: 'mustNot' },
  LoggingMessageNotificationParams: { level: 'mustNot', logger: 'mustNot', 'data.**': 'may' },
  Error: { code: 'mustNot', message: 'may', 'data.**': 'mustNot' },
  DiscoverResult: { instructions: 'may', 'supportedVersions.**': 'mustNot', 'capabilities.**': 'mustNot' },
  InitializeResult: { instructions: 'may', protocolVersion: 'mustNot', 'capabilities.**': 'mustNot' },
  CallToolResult: { resultType: 'mustNot', ...content('content.*'), 'structuredContent.**': 'may' },
  GetPromptResult: { resultType: 'mustNot', description: 'may', 'messages.*.role': 'mustNot', ...content('messages.*.content') },
  ReadResourceResult: { resultType: 'mustNot', ...content('contents.*') },
  InputRequiredResult: { resultType: 'mustNot', requestState: 'mustNot', 'inputRequests.*.method': 'mustNot' },
};

// LANG-33
/** The rule for one field: that of the first pattern that fits. A field that is not listed must not be translated. */
export function translationRule(type: TranslatedType, path: readonly (string | number)[]): TranslationRule {
  const steps = path.map(String);
  for (const [pattern, rule] of Object.entries(translation[type])) if (fits(pattern.split('.'), steps)) return rule;
  return 'mustNot';
}

/** Works without recursion: a peer chooses how deep its schemas are. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  let at = 0;
  let step = 0;
  let any = -1;
  let mark = 0;
  while (step < path.length) {
    if (pattern[at] === '**') {
      any = at++;
      mark = step;
    } else if (at < pattern.length && (pattern[at] === '*' || pattern[at] === path[step])) {
      at++;
      step++;
    } else if (any >= 0) {
      at = any + 1;
      step = ++mark;
    } else return false;
  }
  while (pattern[at] === '**') at++;
  return at === pattern.length;
}
