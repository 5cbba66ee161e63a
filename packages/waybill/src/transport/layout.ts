/** How often a function has to run before V8 learns from what it sees. */
const ROUNDS = 64;

let isTaken = false;

/**
 * Where an accessor takes the place of a value, V8 makes a table of the object, and a transport reads its own members a dozen times a message:
 * 1 % of a call in memory. Whoever is inherited from is laid out as a record again when something is read through the heir. Only the first
 * transport of a process, which on stdio is the only one: each record has a hidden class of its own, and many of those are slower than tables.
 * `name`: of a value, since an accessor of the object's own may not know what to do with an heir.
 */
export function layOut(object: object, name: PropertyKey): void {
  if (isTaken) return;
  isTaken = true;
  const heir = Object.create(object) as Record<PropertyKey, unknown>;
  for (let round = 0; round < ROUNDS; round++) if (heir[name] === undefined) return;
}
