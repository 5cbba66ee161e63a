import { hookTransport, IdPool, instrument, unlessInstrumented } from '../transport/index.js';
import type { FetchLike, Instrumented, Observer, TransportLike } from '../transport/index.js';
import type { Meta } from '../wire/json.js';
import { policy as policyFrom } from '#policy';
import { wireIn } from '../wire/check.js';
import { safeCallback } from '../wire/maybe.js';
import { setupWarnings } from '../wire/issue.js';
import { Ambient } from './ambient.js';
import { languageOf } from './answers.js';
import { CachePart } from './cache.js';
import { CapabilitiesPart } from './capabilities.js';
import type { VariantOptions } from './cacheStore.js';
import { variantOptions } from './clientOptions.js';
import { Attached, OpenConnections, type Shared } from './connection.js';
import { EnvironmentPart } from './environment.js';
import { hooksOf, partsOf, type ConnectionSteps } from './exchange.js';
import { HidePart } from './hide.js';
import { LanguagePart } from './language.js';
import { MetaPart } from './meta.js';
import { checkAttach, checkOptions, checkValues, valuesIn, type AttachOptions, type ClientContextOptions } from './options.js';
import type { CallAbout } from './part.js';
import { PlatformReader } from './platform.js';
import { injectingFetch, wrapTransportFetch } from './fetch.js';
import type { StateJar } from './jar/stateJar.js';
import { NoStatePart, type ClientState } from './state.js';
import type { Ledger } from './policy/ledger.js';
import type { ClientPolicy, Preview } from './policy.js';
import { traceKeys, TracePart } from './trace.js';
import type { CallValues } from './values.js';
import { choose, type Choice } from './variant.js';
import { viewOf } from './view.js';

/** Values for some calls, without any storage: you say for each call which values it has. */
export interface CallContext {
  /** Goes into the `_meta` of a call's params, beside other keys. It never leaves the process. */
  readonly meta: Meta;
  /** Returns the client with these values on every call. */
  client<C extends object>(client: C): C;
}

export interface ClientContext {
  /** Adds the context to a transport: `client.connect(waybill.attach(transport))`. Returns the same transport. */
  attach<T extends TransportLike>(transport: T, options?: AttachOptions): T;
  /** Changes values from the next request on. */
  update(values: CallValues): void;
  /** Uses these values for everything that `fn` sends, now or later. Needs `AsyncLocalStorage`. */
  run<R>(values: CallValues, fn: () => R): R;
  /** Uses these values for single calls. Needs no `AsyncLocalStorage`. */
  with(values: CallValues): CallContext;
  /** For clients whose transport is out of reach, but not their `fetch`: requests carry the context, answers are not read. */
  fetch(base?: FetchLike, options?: AttachOptions): FetchLike;
  /**
   * For frameworks that build clients and transports themselves: attaches to every transport that this copy of the class connects to.
   * Returns how to undo it.
   */
  instrument(Client: { prototype: object }, options?: AttachOptions): Instrumented;
  /** Returns the options for a client of SDK v2, with a cache that keeps one list for each variant. */
  clientOptions<const O extends object = VariantOptions>(options?: O): O;
  /** Returns the language of a result, an error, a progress report or an elicitation. */
  languageOf(answer: unknown): string | undefined;
  /** The state that servers keep here, for the user to see and clear; and conversations. `undefined` without the option `state`. */
  readonly jar: StateJar | undefined;
  /** The record of what each server was told and what was kept from it. `undefined` without the option `policy`. */
  readonly ledger: Ledger | undefined;
  /**
   * Tells what a message would carry under the policy, to an attached transport or to a server by name or address. It sends nothing, asks
   * nobody and uses nothing up. Needs the option `policy`.
   */
  preview(to: string | TransportLike, message: Meta): Promise<Preview>;
  /** Calls the observer for each request and its answer. Returns how to stop. */
  observe(observer: Observer): () => void;
}

/** A client context with the option `state`. */
export type StatefulClientContext = ClientContext & { readonly jar: StateJar };

/** A client context with the option `policy`. */
export type PolicyClientContext = ClientContext & { readonly ledger: Ledger };

export function clientContext(
  options: ClientContextOptions & { readonly state: ClientState; readonly policy: NonNullable<ClientContextOptions['policy']> },
): StatefulClientContext & PolicyClientContext;
export function clientContext(options: ClientContextOptions & { readonly state: ClientState }): StatefulClientContext;
export function clientContext(
  options: ClientContextOptions & { readonly policy: NonNullable<ClientContextOptions['policy']> },
): PolicyClientContext;
export function clientContext(options?: ClientContextOptions): ClientContext;
export function clientContext(options: ClientContextOptions = {}): ClientContext {
  checkOptions(options);
  const { clock = Date.now, storage } = options;
  const wire = wireIn(options);
  const onFault = safeCallback<unknown>(options.onFault);
  // eslint-disable-next-line no-console -- D-33: only mistakes of the program itself, and never on stdout
  const onIssue = safeCallback(options.onIssue ?? setupWarnings((text) => console.warn(text)), onFault);
  const shared: Shared = { wire, onIssue, onFault };
  const platform = new PlatformReader(clock, options.platform);
  const ids = new IdPool(options.random);
  const mirror = options.mirror === true ? unlessInstrumented(traceKeys, onIssue) : options.mirror === 'always' ? traceKeys : undefined;
  const outside = { ...(mirror && { mirror }), ...(options.telemetry && { telemetry: options.telemetry }) };
  const ambient = new Ambient(valuesIn(options), storage && (() => storage));

  const language = new LanguagePart(platform, options.onAnswer && safeCallback(options.onAnswer, onFault));
  const capabilities = new CapabilitiesPart(options.tools ?? {});
  const state = options.state?.open(onIssue);
  const given = options.policy;
  const policy = (given === undefined || isPolicy(given) ? given : policyFrom(given))?.open({
    ...shared,
    clock,
    mirror,
    state,
    telemetry: options.telemetry,
    everywhere: options.environmentEverywhere ?? false,
    needs: (connection) => capabilities.needs(connection),
    parts: () => parts,
    values: (connection) => ambient.at(undefined, (connection as Partial<Attached>).values),
  });
  const trace = new TracePart(ids, options.baggage ?? policy?.baggage ?? [], options.telemetry);
  const choice = (values: CallValues, about: CallAbout): Choice | Promise<Choice> =>
    choose((...of) => language.preference(...of), values, about);
  const cache = new CachePart(choice, hasLanguage(options));
  checkConversation(options, 'conversation');
  const parts = partsOf([
    ...(policy ? [policy.gate] : []),
    language,
    new EnvironmentPart(clock, platform, options.environmentEverywhere ?? false),
    state ?? new NoStatePart(),
    ...(options.parts ?? []),
    trace,
    new MetaPart(),
    capabilities,
    cache,
    ...(options.hide ? [new HidePart(options.hide)] : []),
    ...(policy ? [policy.redirectGate] : []),
  ]);

  const observers = new Set<Observer>();
  const attached = new WeakMap<TransportLike, Attached>();
  const connections = new OpenConnections();
  const variants = { cache, connections, ids, choice, values: ({ values }: Attached) => ambient.at(undefined, values) };

  function stepsOf(connection: Attached): ConnectionSteps {
    return {
      parts,
      connection,
      write: { ...wire, onIssue },
      values: (message, meta) => cache.valuesOf(message, ambient.at(meta, connection.values), connection),
      outgoing: (message) => trace.outgoing(message, ambient.at(), { method: String(message['method']), connection }),
      arrived: ({ method }) => {
        if (method === 'notifications/tools/list_changed') capabilities.forget(connection);
      },
    };
  }

  function attach<T extends TransportLike>(transport: T, given: AttachOptions = {}): T {
    checkAttach(given, 'attach');
    checkConversation(given, 'attach.conversation');
    if (typeof (transport as Partial<TransportLike> | undefined)?.send !== 'function')
      throw new TypeError('attach: expected a transport: client.connect(waybill.attach(transport))');
    const before = attached.get(transport);
    if (before !== undefined) {
      before.checkSame(given);
      return transport;
    }
    const connection = new Attached(transport, given, shared);
    const steps = stepsOf(connection);
    if (given.fetch !== false) wrapTransportFetch(transport, parts.all, connection, mirror, policy?.fetch(connection));
    else if (policy !== undefined) throw new TypeError('attach.fetch: expected true, since the option policy has to see every header');
    policy?.check(connection);
    hookTransport(transport, { ...hooksOf(steps, observers), ...outside, ...(policy && { leave: policy.leave(connection) }) });
    attached.set(transport, connection);
    connections.add(connection);
    return transport;
  }

  /** A conversation belongs to a jar. Without a jar nothing would be kept for it. */
  function checkConversation({ conversation }: Pick<CallValues, 'conversation'>, path: string): void {
    if (conversation !== undefined && state === undefined)
      throw new TypeError(`${path}: a conversation needs the option state: jar() of waybill/client/jar`);
  }

  function checked(values: CallValues): CallValues {
    checkValues(values);
    checkConversation(values, 'conversation');
    if (hasLanguage(values)) cache.beginLanguage(connections);
    return values;
  }

  return {
    attach,
    update(values) {
      const { capabilities: before, principal = null } = ambient.base;
      ambient.update(checked(values));
      platform.refresh();
      if ((ambient.base.principal ?? null) !== principal) state?.leavePrincipal(principal);
      if (!capabilities.same(before, ambient.base.capabilities)) for (const connection of connections) connection.listsChanged();
    },
    run(values, fn) {
      if (typeof (fn as unknown) !== 'function') throw new TypeError('run: expected a function as the second argument');
      return ambient.run(checked(values), fn);
    },
    with(values) {
      const meta = ambient.carry(checked(values));
      return { meta, client: (client) => viewOf(client, meta) };
    },
    fetch(base, given = {}) {
      if (base !== undefined && typeof (base as unknown) !== 'function') throw new TypeError('fetch: expected a function like fetch');
      checkAttach(given, 'fetch');
      return injectingFetch(base, (url) => stepsOf(new Attached(url, given, shared)), onIssue, mirror, policy);
    },
    instrument(Client, given = {}) {
      checkAttach(given, 'instrument');
      return instrument(Client, (transport) => {
        try {
          attach(transport, given);
          return true;
        } catch (error) {
          // The transport belongs to another context.
          onFault(error);
          return false;
        }
      });
    },
    clientOptions: <const O extends object = VariantOptions>(given: O = {} as O): O => variantOptions(given, variants) as O,
    languageOf,
    jar: state?.jar,
    ledger: policy?.ledger,
    async preview(to, message) {
      if (policy === undefined) throw new TypeError('preview: expected the option policy: policy() of waybill/client/policy');
      const connection = typeof to === 'string' ? to : attached.get(to);
      if (connection === undefined || connection === '')
        throw new TypeError('preview: expected an attached transport, or the name or address of a server');
      if (typeof (message as Meta | undefined)?.['method'] !== 'string')
        throw new TypeError('preview: expected a request as the second argument: { method, params }');
      return policy.preview(connection, message);
    },
    observe(observer) {
      if (typeof (observer as unknown) !== 'function') throw new TypeError('observe: expected a function');
      observers.add(observer);
      return () => void observers.delete(observer);
    },
  };
}

function isPolicy(given: object): given is ClientPolicy {
  return typeof (given as Partial<ClientPolicy>).open === 'function';
}

function hasLanguage({ language }: CallValues): boolean {
  return language !== undefined && language !== null;
}
