/** The configuration as the gateway uses it: checked, with variables filled in and units read. */
import type { JsonObject } from 'waybill';
import type { PolicyRules } from 'waybill/adapter';

/** `legacy`: 2025-06-18 or 2025-11-25. `modern`: 2026-07-28 or later. */
export type Era = 'legacy' | 'modern';

/** The callers that share one child process. */
export type Share = 'one' | 'principal' | 'connection';

export interface HttpTarget {
  readonly kind: 'http';
  readonly url: URL;
  readonly credentials: Readonly<Record<string, string>>;
  /** The client's own `Authorization` goes upstream: it was issued for the upstream. */
  readonly passesCredentials: boolean;
  /** The address at which a client learns how to get a token, if the upstream asks for one. */
  readonly metadata: string | undefined;
}

export interface StdioTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Undefined: the default of the revision. */
  readonly share: Share | undefined;
  readonly max: number;
  readonly idle: number;
}

export interface LanguageConfig {
  readonly from: readonly ('meta' | 'header')[];
  readonly default: string | undefined;
  readonly catalogs: string | undefined;
  readonly fields: readonly string[];
}

export interface FillConfig {
  readonly from: 'timezone' | 'locale';
  /** The argument leaves the schema that clients see. */
  readonly hide?: boolean;
}

export interface EnvironmentConfig {
  readonly mode: 'pass' | 'strip';
  readonly defaults: Readonly<Partial<Record<'timezone' | 'locale', string>>>;
  /** Tool, then argument. */
  readonly fill: Readonly<Record<string, Readonly<Record<string, FillConfig>>>>;
}

export interface StateConfig {
  readonly mode: 'pass' | 'keep' | 'off';
  /** The `_meta` key that names the conversation of a request. */
  readonly conversation: string | undefined;
  readonly allowHosts: readonly string[];
}

export interface TraceConfig {
  readonly mode: 'pass' | 'start' | 'join' | 'off';
  readonly spans: boolean;
}

export interface ToolsConfig {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly override: Readonly<Record<string, { readonly title?: string; readonly description?: string }>>;
  readonly requires: Readonly<Record<string, JsonObject>>;
  readonly unmet: 'refuse' | 'filter';
}

export interface UpstreamConfig {
  readonly name: string;
  readonly target: HttpTarget | StdioTarget;
  readonly revision: Era | 'auto';
  readonly language: LanguageConfig | undefined;
  readonly environment: EnvironmentConfig | undefined;
  readonly state: StateConfig;
  readonly trace: TraceConfig;
  readonly tools: ToolsConfig | undefined;
  readonly policy: PolicyRules | undefined;
  /** Milliseconds that lists without `ttlMs` are kept; 0: not at all. */
  readonly cacheLists: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface AdminConfig extends Address {
  readonly token: string;
}

export interface JwtConfig {
  readonly kind: 'jwt';
  readonly issuer: string;
  readonly audience: string;
  /** The address of this gateway, as its metadata names it. */
  readonly resource: string;
  readonly claim: string;
  /** The address of the issuer's keys; undefined: the issuer's metadata names it. */
  readonly jwks: string | undefined;
  /** Milliseconds by which clocks may differ. */
  readonly skew: number;
}

export interface TrustedProxyConfig {
  readonly kind: 'trustedProxy';
  /** Lower case. */
  readonly header: string;
  readonly from: readonly string[];
}

/** The way to know who asks. `none`: it is not known. */
export type IdentityConfig =
  JwtConfig | TrustedProxyConfig | { readonly kind: 'single'; readonly principal: string } | { readonly kind: 'none' };

/** So many requests in so much time. */
export interface Rate {
  /** As it was written. */
  readonly text: string;
  readonly amount: number;
  readonly milliseconds: number;
}

export interface LimitsConfig {
  readonly body: number;
  readonly depth: number;
  readonly time: number;
  readonly rate: Rate | undefined;
  readonly concurrent: number | undefined;
}

export interface LogConfig {
  readonly format: 'text' | 'json';
  readonly audit: boolean;
}

export interface GatewayConfig extends Address {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly admin: AdminConfig | undefined;
  readonly identity: IdentityConfig;
  /** `memory`, `sqlite:` with an absolute path, or the URL of a Redis. */
  readonly store: string;
  /** Seals session ids; undefined: the one that the store keeps, or one of this process. */
  readonly key: readonly string[] | undefined;
  /** The name of this replica, in front of the session ids that it gives out. */
  readonly replica: string | undefined;
  readonly limits: LimitsConfig;
  readonly feed: 'off' | 'names' | 'bodies';
  readonly log: LogConfig;
  /** The collector that spans are sent to. */
  readonly otlp: string | undefined;
  readonly upstreams: readonly UpstreamConfig[];
}
