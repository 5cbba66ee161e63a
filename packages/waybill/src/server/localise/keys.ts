/**
 * The keys of entries that are found without code (LANG-30…32). Below these roots, keys follow the protocol's own field names. Entries for
 * `t` have any other name.
 *
 *   tools.NAME.title                          prompts.NAME.title                     resources.NAME.title
 *   tools.NAME.annotations.title              prompts.NAME.arguments.ARG.title       resourceTemplates.NAME.title
 *   server.title                              elicitations.NAME.message              elicitations.NAME.properties.PROPERTY.title
 *                                             elicitations.NAME.properties.PROPERTY.description
 *                                             elicitations.NAME.properties.PROPERTY.options.VALUE
 * The model reads these, so they are used only if the author opts in (D-11):
 *   tools.NAME.description                    prompts.NAME.description               resources.NAME.description
 *   tools.NAME.inputSchema.PATH.title         prompts.NAME.arguments.ARG.description resourceTemplates.NAME.description
 *   tools.NAME.inputSchema.PATH.description   server.description                     server.instructions
 *   (and outputSchema)
 */

export type KeyRule = 'should' | 'may';

type Shape = readonly [pattern: RegExp, rule: KeyRule];

const NAME = '[^]+';
const shape = (pattern: string, rule: KeyRule): Shape => [new RegExp(`^${pattern}$`), rule];

const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  tools: [
    shape(`${NAME}\\.(?:input|output)Schema(?:\\.${NAME})?\\.(?:title|description)`, 'may'),
    shape(`${NAME}\\.(?:annotations\\.)?title`, 'should'),
    shape(`${NAME}\\.description`, 'may'),
  ],
  prompts: [shape(`${NAME}\\.title`, 'should'), shape(`${NAME}\\.description`, 'may')],
  resources: [shape(`${NAME}\\.title`, 'should'), shape(`${NAME}\\.description`, 'may')],
  resourceTemplates: [shape(`${NAME}\\.title`, 'should'), shape(`${NAME}\\.description`, 'may')],
  server: [shape('title', 'should'), shape('description|instructions', 'may')],
  elicitations: [
    shape(`${NAME}\\.message`, 'should'),
    shape(`${NAME}\\.properties\\.${NAME}\\.(?:title|description)`, 'should'),
    shape(`${NAME}\\.properties\\.${NAME}\\.options\\.${NAME}`, 'should'),
  ],
};

/** Returns the rule for an entry that is found by its name, `unknown` if nothing below that root has this name, and undefined for an entry of `t`. */
export function keyRule(key: string): KeyRule | 'unknown' | undefined {
  const dot = key.indexOf('.');
  const root = dot < 0 ? key : key.slice(0, dot);
  const shapes = Object.hasOwn(SHAPES, root) ? SHAPES[root] : undefined;
  if (shapes === undefined) return undefined;
  const rest = dot < 0 ? '' : key.slice(dot + 1);
  return shapes.find(([pattern]) => pattern.test(rest))?.[1] ?? 'unknown';
}

/** Returns a test for the keys that the author named, exactly or with `*` for any part. */
export function keyMatcher(patterns: readonly string[]): (key: string) => boolean {
  if (patterns.length === 0) return () => false;
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wild = patterns
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) => new RegExp(`^${pattern.split(/\*+/).map(literal).join('[^]*')}$`));
  return (key) => exact.has(key) || wild.some((pattern) => pattern.test(key));
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
