/** The edits that turn one value into another. Members that are the same object, or equal, are not touched. */
import { removeMember, setMember, type Edit, type Path } from './spans.js';
import { isObject } from './values.js';

export function editsBetween(before: unknown, after: unknown, path: Path = []): Edit[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const edits: Edit[] = [];
    for (const name of Object.keys(before))
      if (!Object.hasOwn(after, name) || after[name] === undefined) edits.push(removeMember([...path, name]));
    for (const [name, value] of Object.entries(after)) {
      if (value === undefined) continue;
      if (Object.hasOwn(before, name)) edits.push(...editsBetween(before[name], value, [...path, name]));
      else edits.push(setMember([...path, name], value));
    }
    return edits;
  }
  if (Array.isArray(before) && Array.isArray(after)) return listEdits(before, after, path);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [setMember(path, after)];
}

/** Elements may change in place or be left out. Anything else replaces the list. */
function listEdits(before: readonly unknown[], after: readonly unknown[], path: Path): Edit[] {
  if (before.length === after.length) return before.flatMap((item, index) => editsBetween(item, after[index], [...path, index]));
  const dropped: number[] = [];
  let next = 0;
  before.forEach((item, index) => {
    if (item === after[next]) next++;
    else dropped.push(index);
  });
  // From the end, so that the earlier positions stay right.
  return next === after.length ? dropped.reverse().map((index) => removeMember([...path, index])) : [setMember(path, after)];
}
