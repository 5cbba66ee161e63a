import { atOnce } from '../../wire/maybe.js';
import { keep } from '../../wire/memo.js';
import {
  checkPolicyRules,
  decisionsOf,
  levelsOf,
  namesAt,
  originOf,
  POLICY_FIELDS,
  readPolicy,
  type Policy,
  type PolicyDecision,
  type PolicyDecisions,
  type PolicyField,
  type PolicyLevels,
  type PolicyRules,
  type ServerNames,
} from '../../wire/policy.js';
import type { StdioCommand } from '../../transport/index.js';
import type { ClientConnection } from '../part.js';
import type { PolicyFunction } from '../policy.js';
import type { StdioNames, StdioPackage } from '../stdioNames.js';
import { perObject } from '../values.js';

/** The decisions for one server. */
interface Decided {
  readonly decisions: PolicyDecisions;
  readonly levels: PolicyLevels;
  /** The fields that need the user's consent. */
  readonly asks: readonly PolicyField[];
}

/** One server that messages of a connection go to: the one it was made for, or one that a redirect leads to. */
export interface Destination {
  /** The name in prompts and in the ledger: the identity given, the origin, or the name of the command. */
  readonly server: string | undefined;
  readonly connection: ClientConnection;
  /** The package that the command of the server names. */
  readonly package: string | undefined;
  /** False if a redirect leads here. */
  readonly isHome: boolean;
  decided(): Decided;
}

const MAX_DESTINATIONS = 64;
/** A function that fails grants nothing. */
const FAILED: PolicyDecision = { level: 'never', rule: 'policy' };
const NOTHING_GRANTED = decidedBy(Object.fromEntries(POLICY_FIELDS.map((field) => [field, FAILED])) as unknown as PolicyDecisions);

interface DestinationsOptions {
  readonly stdio?: StdioNames | undefined;
  readonly packageOf?: StdioNames['packageOf'] | undefined;
  /** Names a connection as the jar does. */
  readonly nameOf?: ((connection: ClientConnection) => string | undefined) | undefined;
}

/** Finds the rules for a connection, and for each address that it is redirected to. */
export class Destinations {
  readonly #decide: (server: ServerNames, destination: Destination) => Decided;
  readonly #options: DestinationsOptions;
  readonly baggage: readonly string[];
  /** True if some rule is for a server behind a command. */
  readonly namesCommands: boolean;
  readonly #homes = perObject((connection: ClientConnection): Destination => {
    const { server, url, command } = connection;
    const named = server ?? (command && this.#nameCommand(command)) ?? (url ? undefined : this.#options.nameOf?.(connection));
    const claimed = command && this.#options.packageOf?.(command);
    const names = url ? namesAt(url, server) : namesBehind(named, claimed);
    return this.#create(connection, named ?? (url && originOf(url)), names, true, claimed?.name);
  });
  readonly #away = perObject((_: ClientConnection) => new Map<string, Destination>());

  constructor(rules: Policy | PolicyFunction, options: DestinationsOptions = {}) {
    this.#options = options;
    const book = typeof rules === 'function' ? undefined : readPolicy(rules);
    this.baggage = book?.baggage ?? [];
    this.namesCommands = book?.namesCommands ?? false;
    this.#decide = book ? decideOnce((server) => book.decide(server)) : (_, destination) => asked(rules as PolicyFunction, destination);
  }

  home(connection: ClientConnection): Destination {
    return this.#homes(connection);
  }

  at(connection: ClientConnection, to: URL): Destination {
    const { url, server } = connection;
    if (url?.href === to.href) return this.home(connection);
    const known = this.#away(connection);
    const destination = known.get(to.href);
    if (destination !== undefined) return destination;
    const isHome = url !== undefined && originOf(url) === originOf(to);
    const given = isHome ? server : undefined;
    return keep(known, to.href, this.#create(connection, given ?? originOf(to), namesAt(to, given), isHome), MAX_DESTINATIONS);
  }

  #create(
    connection: ClientConnection,
    server: string | undefined,
    names: ServerNames,
    isHome: boolean,
    packageName?: string,
  ): Destination {
    const destination: Destination = { server, connection, package: packageName, isHome, decided: () => this.#decide(names, destination) };
    return destination;
  }

  #nameCommand(command: StdioCommand): string | undefined {
    const name: unknown = this.#options.stdio?.(command);
    return typeof name === 'string' && name !== '' ? name : undefined;
  }
}

function namesBehind(named: string | undefined, claimed: StdioPackage | undefined): ServerNames {
  const names = named === undefined ? [] : [named];
  if (claimed === undefined) return { names };
  return claimed.isCertain ? { names: [...names, claimed.name] } : { names, claimed: claimed.name };
}

function decidedBy(decisions: PolicyDecisions): Decided {
  const levels = levelsOf(decisions);
  return { decisions, levels, asks: POLICY_FIELDS.filter((field) => levels[field] === 'ask') };
}

function decideOnce(decide: (server: ServerNames) => PolicyDecisions): (server: ServerNames) => Decided {
  return perObject((server: ServerNames) => decidedBy(decide(server)));
}

const readRules = perObject((rules: PolicyRules): Decided => {
  checkPolicyRules(rules, 'policy()');
  return decidedBy(decisionsOf(rules, 'policy()'));
});
const NO_RULES: PolicyRules = {};
const told = new WeakSet<Destination>();

/** D-35: a promise, a throw and invalid rules grant nothing. They are reported once for each server. */
function asked(rules: PolicyFunction, destination: Destination): Decided {
  try {
    return readRules(atOnce(rules(destination.server), 'policy') ?? NO_RULES);
  } catch (error) {
    if (!told.has(destination)) {
      told.add(destination);
      const problem = 'failed, so nothing is sent that a policy governs; return rules such as { location: "never" }, at once';
      destination.connection.onIssue({ side: 'setup', concern: 'meta', key: 'policy', problem });
    }
    destination.connection.onFault(error);
    return NOTHING_GRANTED;
  }
}
