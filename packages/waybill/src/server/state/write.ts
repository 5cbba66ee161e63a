import type { Json } from '../../wire/json.js';
import { andThen, andThenAsk } from '../../wire/maybe.js';
import { sealAbout, type ItemAbout, type Later } from './item.js';
import { askGuard } from './askGuard.js';
import { sequenceOf, timesOf } from './seal.js';

/**
 * D-22: returns a value as it is sent, sealed if configured. A value that cannot be sealed is reported and not sent. `retired`: the sealing
 * that came with the request; the new value replaces it.
 */
export function writeItem(value: Json, about: ItemAbout, retired: string | undefined): Later<Json | undefined> {
  const { definition, options, complain } = about;
  const { seal } = options;
  if (seal === undefined || definition.sealed === false) return value;
  const principal = about.principal();
  if (principal === undefined) {
    complain('was not set: the principal to seal it for is unknown');
    return undefined;
  }
  const binding = sealAbout(about, principal);
  const replace = (token: Json, live: string | undefined): Later<Json | undefined> => {
    const { expires } = timesOf(binding);
    const isFirst = askGuard(about, principal, 'replace', (guard, slot) => guard.replace(slot, retired, live, expires), {
      refused: 'was not set: another request was first',
      failed: 'was not set: the replay guard failed',
    });
    return andThen(isFirst, (first) => (first ? token : undefined));
  };
  if (value === null) return replace(null, undefined);
  return andThenAsk<string, Json | undefined>(
    () => seal.seal(JSON.stringify(value), binding),
    (token) => replace(token, sequenceOf(token)),
    (error) => complain('was not set: it could not be sealed', error),
  );
}
