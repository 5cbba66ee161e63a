// #region program
import { createServer } from 'node:http';
import { createGateway } from '@waybill/gateway';

const gateway = await createGateway({ upstreams: { time: { command: ['npx', '-y', 'some-time-server'] } } });
const listening = createServer((request, response) => void gateway.node(request, response)).listen(0, '127.0.0.1');
gateway.onExchange(({ upstream, method, name, status, milliseconds }) => {
  console.log(upstream, method, name, status, milliseconds);
});
// #endregion
listening.close();
await gateway.close();
