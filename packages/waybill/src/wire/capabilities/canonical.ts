import { isObject, own, type Json } from '../json.js';

/** A finished piece of text, or a value that is still to be written. */
type Piece = string | { readonly value: unknown };

/**
 * Writes JSON with sorted names: two values have the same text exactly if they are equal. Works without recursion, since a peer chooses the
 * depth.
 */
export function canonicalJson(value: Json): string {
  const todo: Piece[] = [{ value }];
  let text = '';
  for (let piece = todo.pop(); piece !== undefined; piece = todo.pop()) {
    if (typeof piece === 'string') text += piece;
    else if (Array.isArray(piece.value))
      pushReversed(
        todo,
        '[',
        piece.value.map((element: unknown) => ['', element]),
        ']',
      );
    else if (isObject(piece.value)) pushReversed(todo, '{', members(piece.value), '}');
    else text += JSON.stringify(piece.value);
  }
  return text;
}

function members(object: Record<string, unknown>): [string, unknown][] {
  return Object.keys(object)
    .sort()
    .map((name) => [`${JSON.stringify(name)}:`, own(object, name)]);
}

/** The pieces of a list or an object, in reverse order for the stack. */
function pushReversed(todo: Piece[], open: string, parts: readonly [string, unknown][], close: string): void {
  todo.push(close);
  for (let at = parts.length - 1; at >= 0; at--) {
    const [label, value] = parts[at] as [string, unknown];
    todo.push({ value }, at === 0 ? label : `,${label}`);
  }
  todo.push(open);
}
