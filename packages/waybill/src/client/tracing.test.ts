import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { modern, rig } from '../../../../test/support/client-rig.js';
import type { Telemetry } from '../transport/index.js';
import type { Issue } from '../wire/issue.js';
import { keysOf } from '../wire/concerns.js';
import { BAGGAGE, TRACEPARENT } from '../wire/keys.js';
import { jar } from './jar/index.js';
import { clientContext, type ClientContext } from './index.js';

const GOOD = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const SPAN = '00-11111111111111111111111111111111-2222222222222222-01';

/** Telemetry, as far as this half can see it. */
function tracing(options: Partial<Telemetry> = {}): Telemetry {
  return { around: (hooks) => hooks, carrier: () => ({}), starts: true, ...options };
}

describe('with telemetry', () => {
  it('the client begins no trace: the spans begin them', async () => {
    expect(await rig({ telemetry: tracing() }).metaOf('tools/call')).not.toHaveProperty([TRACEPARENT]);
    expect(await rig({ telemetry: tracing(), trace: 'start' }).metaOf('tools/call')).not.toHaveProperty([TRACEPARENT]);
    expect(await rig({ telemetry: tracing({ starts: false }), trace: 'start' }).metaOf('tools/call')).toHaveProperty([TRACEPARENT]);
    expect(await rig({ telemetry: tracing({ starts: false }) }).metaOf('tools/call')).not.toHaveProperty([TRACEPARENT]);
  });

  it('a given trace is still sent', async () => {
    expect((await rig({ telemetry: tracing(), trace: GOOD }).metaOf('tools/call'))[TRACEPARENT]).toContain(
      '0af7651916cd43dd8448eb211c80319c',
    );
  });
});

describe('through fetch alone', () => {
  const posted: { headers: Headers; meta: Record<string, unknown> }[] = [];
  const base = (_url: string | URL, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(init?.body as string) as { params: { _meta?: Record<string, unknown> } };
    posted.push({ headers: new Headers(init?.headers), meta: body.params._meta ?? {} });
    return Promise.resolve(new Response(null, { status: 202 }));
  };
  const post = (options: Parameters<typeof clientContext>[0]): Promise<(typeof posted)[number]> => postThrough(clientContext(options));
  const postThrough = async (context: ClientContext): Promise<(typeof posted)[number]> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } });
    await context.fetch(base)('https://a.example/mcp', { method: 'POST', body });
    return posted.at(-1)!;
  };

  it('D-28: there is no own span, so the current one is sent; without one a trace begins only if configured', async () => {
    for (const starts of [true, false])
      expect((await post({ telemetry: tracing({ starts, carrier: () => ({ [TRACEPARENT]: SPAN }) }) })).meta[TRACEPARENT]).toBe(SPAN);
    expect((await post({ telemetry: tracing() })).meta[TRACEPARENT]).toBeUndefined();
    expect((await post({ telemetry: tracing(), trace: 'start' })).meta[TRACEPARENT]).toMatch(/^00-/);
  });

  it('mirror copies the trace into headers; without it there are none', async () => {
    const { headers, meta } = await post({ mirror: true, trace: 'start' });
    expect(headers.get(TRACEPARENT)).toBe(meta[TRACEPARENT]);
    expect((await post({ trace: 'start' })).headers.get(TRACEPARENT)).toBeNull();
  });

  it("if HTTP is instrumented, mirror adds no headers and reports that once; 'always' adds them", async () => {
    const issues: Issue[] = [];
    const onRequest = (): void => undefined;
    subscribe('undici:request:create', onRequest);
    try {
      const options = { trace: 'start', onIssue: (issue: Issue) => void issues.push(issue) };
      const context = clientContext({ ...options, mirror: true });
      expect((await postThrough(context)).headers.get(TRACEPARENT)).toBeNull();
      expect((await postThrough(context)).headers.get(TRACEPARENT)).toBeNull();
      expect(issues).toMatchObject([{ side: 'setup', key: 'mirror', problem: expect.stringContaining("mirror: 'always'") as string }]);
      expect((await post({ ...options, mirror: 'always' })).headers.get(TRACEPARENT)).toMatch(/^00-/);
      unsubscribe('undici:request:create', onRequest);
      expect((await postThrough(context)).headers.get(TRACEPARENT)).toMatch(/^00-/);
    } finally {
      unsubscribe('undici:request:create', onRequest);
    }
  });
});

it('IX-12: nothing of the state, the environment or the user gets into baggage', async () => {
  const state = { [[...keysOf(['state'])][0]!]: { cart: 'SECRET' } };
  const options = {
    trace: { [TRACEPARENT]: GOOD, [BAGGAGE]: 'tier=gold,user=SECRET' },
    baggage: ['tier'],
    environment: { timezone: 'Europe/Vienna' },
    state: jar(),
  };
  const { metaOf } = rig(options, () => ({ content: [], _meta: state }), { server: 'shop', principal: 'SECRET' });
  await metaOf('tools/call', modern());
  const second = await metaOf('tools/call', modern());
  expect(JSON.stringify(second)).toContain('SECRET');
  expect(second[BAGGAGE]).toBe('tier=gold');
});

it('wrong options fail at once', () => {
  expect(() => clientContext({ mirror: 'yes' as never })).toThrow(/mirror/);
  expect(() => clientContext({ telemetry: 'otel' as never })).toThrow(/telemetry/);
});
