/** A host in its own process that does everything a jar does with each given file, and prints one line of JSON for each. */
import { Jars } from '../../packages/waybill/dist/client/jar/jars.js';
import { sqliteStore } from 'waybill/client/node';

for (const file of process.argv.slice(2)) {
  const problems = [];
  const store = sqliteStore(file);
  const jars = new Jars({ store }, ({ problem }) => problems.push(problem));
  const drawer = jars.open('', 'shop');
  const failed = (error) => `failed: ${error.message}`;
  await jars.sync.load(drawer).catch(failed);
  const { values, ticket } = await jars.carry('', 'shop', undefined);
  const names = [...(values.server?.keys() ?? [])];
  const principals = await store.principals().catch(failed);
  const drawers = await store.drawers('').catch(failed);
  await jars.apply(ticket, { server: new Map([['new', 1]]) });
  const written = await jars.sync.flush().then(() => 'written', failed);
  const ended = await jars.sync.end('', 'talk').then(() => 'ended', failed);
  await jars.sync.close().catch(failed);
  console.log(JSON.stringify({ names, principals, drawers, written, ended, problems }));
}
