/**
 * Forms in the user's language (LANG-30, LANG-34): the message, the titles and descriptions of properties, and the names of options. Keys,
 * values, defaults and formats never change.
 *
 *   elicitations.NAME.message
 *   elicitations.NAME.properties.PROPERTY.title         …description
 *   elicitations.NAME.properties.PROPERTY.options.VALUE
 */
import { isObject, own, setOwn, type Meta } from '../../wire/json.js';

/** Returns the text of an entry, or `text` if there is no such entry. */
type Lookup = (key: string, text: string) => string;

export function localiseElicitation<P extends object>(name: string, params: P, say: Lookup): P {
  const prefix = `elicitations.${name}`;
  const next = withTexts(params as Meta, ['message'], prefix, say);
  const schema = own(next, 'requestedSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  if (!isObject(properties)) return next as P;
  const changed: Meta = {};
  for (const [property, value] of Object.entries(properties)) {
    const path = `${prefix}.properties.${property}`;
    setOwn(changed, property, isObject(value) ? withTexts(withOptionNames(value, path, say), ['title', 'description'], path, say) : value);
  }
  return { ...next, requestedSchema: { ...(schema as Meta), properties: changed } } as unknown as P;
}

function withTexts(object: Meta, members: readonly string[], prefix: string, say: Lookup): Meta {
  let next = object;
  for (const member of members) {
    const text = own(object, member);
    if (typeof text === 'string') next = { ...next, [member]: say(`${prefix}.${member}`, text) };
  }
  return next;
}

/** A form offers options in four ways: one or several of them, as titled constants or as the older `enumNames`. */
function withOptionNames(property: Meta, prefix: string, say: Lookup): Meta {
  const textOf = (value: unknown, text: unknown): unknown =>
    typeof text === 'string' ? say(`${prefix}.options.${String(value)}`, text) : text;
  const titled = (list: readonly unknown[]): unknown[] =>
    list.map((option) =>
      isObject(option) && Object.hasOwn(option, 'title') ? { ...option, title: textOf(option['const'], option['title']) } : option,
    );
  const { oneOf, items, enum: values, enumNames } = property;
  return {
    ...property,
    ...(Array.isArray(oneOf) && { oneOf: titled(oneOf) }),
    ...(isObject(items) && Array.isArray(items['anyOf']) && { items: { ...items, anyOf: titled(items['anyOf']) } }),
    ...(Array.isArray(enumNames) && Array.isArray(values) && { enumNames: enumNames.map((text: unknown, at) => textOf(values[at], text)) }),
  };
}
