import { PRECISIONS } from '../../wire/environment.js';
import { fieldsIn, type FieldSet, type PolicyTally } from '../../wire/policy.js';
import type { Count } from './counts.js';

/** Messages with the same tally, since they were last folded into counts. */
interface Tallied {
  readonly sent: FieldSet;
  readonly withheld: FieldSet;
  readonly precision: string | undefined;
  readonly isMinimal: boolean;
  readonly first: number;
  count: number;
  last: number;
}

type Messages = Map<number, Tallied>;

/**
 * The messages of a client by principal and server. Most messages to one server have the same tally, so a message costs one step of a
 * counter; the counts by field are made when somebody asks for them.
 */
export class Tallies {
  readonly #principals = new Map<string, Map<string | undefined, Messages>>();
  /** The number of different tallies. */
  size = 0;

  add(principal: string, server: string | undefined, tally: PolicyTally, now: number): void {
    let servers = this.#principals.get(principal);
    if (servers === undefined) this.#principals.set(principal, (servers = new Map<string | undefined, Messages>()));
    let messages = servers.get(server);
    if (messages === undefined) servers.set(server, (messages = new Map<number, Tallied>()));
    const code = codeOf(tally);
    const known = messages.get(code);
    if (known !== undefined) {
      known.count++;
      known.last = now;
      return;
    }
    const { sentSet: sent, withheldSet: withheld, precision, isMinimal } = tally;
    messages.set(code, { sent, withheld, precision, isMinimal, count: 1, first: now, last: now });
    this.size++;
  }

  /** Removes everything, field by field. */
  fold(add: (principal: string, count: Count) => void): void {
    for (const [principal, servers] of this.#principals)
      for (const [server = null, messages] of servers)
        for (const { sent, withheld, precision, isMinimal, ...times } of messages.values()) {
          for (const field of fieldsIn(sent)) {
            const exactly = field === 'location' ? precision : field === 'capabilities' && isMinimal ? 'minimal' : undefined;
            add(principal, { server, field, outcome: 'sent', precision: exactly, ...times });
          }
          for (const field of fieldsIn(withheld)) add(principal, { server, field, outcome: 'withheld', precision: undefined, ...times });
        }
    this.#principals.clear();
    this.size = 0;
  }
}

/** A number that only equal tallies share: nine bits for each set, three for the precision, one for minimal. */
function codeOf({ sentSet, withheldSet, precision, isMinimal }: PolicyTally): number {
  const precise = precision === undefined ? 0 : PRECISIONS.indexOf(precision) + 1;
  return sentSet | (withheldSet << 9) | (precise << 18) | (isMinimal ? 1 << 21 : 0);
}
