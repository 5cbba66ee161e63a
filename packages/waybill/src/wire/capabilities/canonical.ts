import { isObject, own, type Json } from '../json.js';

/** A piece of text that is ready, or a value that is still to be written. */
type Piece = string | { readonly value: unknown };

/** JSON with the names of every object in order: equal values give equal texts, others never do. No recursion: a peer chooses the depth. */
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

/** The pieces of a list or an object, last first, since the stack gives back what came last. */
function pushReversed(todo: Piece[], open: string, parts: readonly [string, unknown][], close: string): void {
  todo.push(close);
  for (let at = parts.length - 1; at >= 0; at--) {
    const [label, value] = parts[at] as [string, unknown];
    todo.push({ value }, at === 0 ? label : `,${label}`);
  }
  todo.push(open);
}
