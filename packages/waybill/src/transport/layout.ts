/** How often a loop has to turn before V8 learns from what it reads: 17 times on Node 20, 22 and 24. */
const TURNS = 64;

let isTaken = false;

/**
 * Where an accessor takes the place of a value, V8 makes a table of the object, and a transport reads its own members a dozen times a message:
 * 1 % of a call through the in-memory transport. Whoever is inherited from is laid out as a record again when something is read through
 * the heir. Only the first that needs it, which on stdio mostly is the only one: each record has a hidden class of its own, and many of
 * those are slower than tables. `name`: of a value, since an accessor of the object's own may not know what to do with an heir.
 */
export function layOut(object: object, name: PropertyKey): void {
  if (isTaken) return;
  isTaken = true;
  const heir = Object.create(object) as Record<PropertyKey, unknown>;
  try {
    for (let turn = 0; turn < TURNS; turn++) if (heir[name] === undefined) return;
  } catch {
    // A proxy that knows its own only. It is as fast as it was.
  }
}
