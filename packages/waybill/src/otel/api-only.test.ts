import { context, propagation } from '@opentelemetry/api';
import { expect, it } from 'vitest';
import { call, metaOf, result, wire, type Message } from '../../../../test/otel/lab.js';
import { openTelemetry } from './index.js';

const GOOD = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('without an SDK behind the API nothing happens, and the caller’s own keys pass unchanged', async () => {
  const [near, far] = wire();
  const otel = openTelemetry();
  otel.attach(near);
  otel.attach(far);
  const answers: Message[] = [];
  near.onmessage = (message: Message) => void answers.push(message);
  far.onmessage = ({ id }: Message) => void far.send(result(id));
  const message = call({ _meta: { traceparent: GOOD, tracestate: 'a=1', progressToken: 1 } });
  await near.send(message);
  await near.send(call({}, 2));
  expect(near.sent).toEqual([message, call({}, 2)]);
  expect(metaOf(far.received[0])['traceparent']).toBe(GOOD);
  expect(answers).toHaveLength(2);
  expect([otel.carrier(), propagation.fields(), context.active()]).toEqual([{}, [], context.active()]);
});
