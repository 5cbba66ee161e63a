/** Prometheus metrics. Labels come from the configuration and from closed lists, never from a client's own words. */
import type { UpstreamHop } from '../hop.js';
import type { Children } from '../upstream/supervisor.js';
import type { Exchanges } from './exchanges.js';
import { optional } from './optional.js';

/** Methods that have a label of their own. Any other is counted as `other`: a client could name a new one with each request. */
const METHODS = new Set([
  ...['initialize', 'ping', 'server/discover', 'subscriptions/listen', 'logging/setLevel', 'completion/complete'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'notifications/roots/list_changed'],
  ...['GET', 'DELETE', 'answer'],
]);

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  close(): void;
}

export async function openMetrics(exchanges: Exchanges, hops: () => Iterable<UpstreamHop>): Promise<Metrics> {
  const prom = await optional(['prom-client'], 'admin (/metrics)', async () => {
    const loaded = await import('prom-client');
    return loaded.default;
  });
  const registry = new prom.Registry();
  const registers = [registry];
  const about = (name: string, help: string, labelNames: string[] = []) => ({
    name: `waybill_gateway_${name}`,
    help,
    labelNames: ['upstream', ...labelNames],
    registers,
  });
  const requests = new prom.Counter(about('requests_total', 'Requests that ended.', ['method']));
  const errors = new prom.Counter(about('errors_total', 'Requests that ended badly, by kind.', ['method', 'kind']));
  const duration = new prom.Histogram({
    ...about('request_duration_seconds', 'From the arrival of a request to the last byte of its answer. Open streams are left out.', [
      'method',
    ]),
    buckets: SECONDS,
  });
  const cached = new prom.Counter(about('cache_hits_total', 'Lists answered from the cache of the gateway.', ['method']));
  const withheld = new prom.Counter(about('withheld_fields_total', 'Fields that the policy kept from an upstream.', ['method', 'field']));
  new prom.Gauge({
    ...about('in_flight', 'Requests and streams that have not ended.', ['method']),
    collect() {
      this.reset();
      for (const { upstream, method } of exchanges.running) this.inc({ upstream, method: labelOf(method) });
    },
  });
  const children = (name: string, help: string, member: keyof Children) =>
    new prom.Gauge({
      ...about(name, help),
      collect() {
        this.reset();
        for (const {
          name: upstream,
          upstream: { children },
        } of hops())
          this.set({ upstream }, children[member]);
      },
    });
  children('children', 'Child processes that run.', 'running');
  children('child_starts', 'Child processes that were started since the gateway or the upstream began.', 'starts');
  prom.collectDefaultMetrics({ register: registry });

  const stop = exchanges.listen(({ upstream, method: asked, milliseconds, outcome, cached: isCached, withheld: fields }) => {
    const method = labelOf(asked);
    requests.inc({ upstream, method });
    if (outcome !== 'ok') errors.inc({ upstream, method, kind: outcome });
    if (method !== 'GET' && method !== 'subscriptions/listen') duration.observe({ upstream, method }, milliseconds / 1000);
    if (isCached) cached.inc({ upstream, method });
    for (const field of fields) withheld.inc({ upstream, method, field });
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      stop();
      registry.clear();
    },
  };
}

function labelOf(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
