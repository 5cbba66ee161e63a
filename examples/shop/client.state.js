// State that servers keep here: its store, its owner, and the steps that show it.
import * as hosts from 'waybill/hosts';
import { jar as stateJar } from 'waybill/client/jar';
import { sqliteStore, stdioIdentity } from 'waybill/client/node';

/** Servers under a registered domain and named hosts may keep state; a server behind a command is identified by its file or package. */
export function stateOf({ jar, 'allow-host': allowHosts }) {
  const rules = { hosts, allowHosts, stdio: stdioIdentity() };
  return stateJar(jar === undefined ? rules : { ...rules, store: sqliteStore(jar), durability: 'strict' });
}

/** The conversations of this script. From then on calls belong to the one that was begun, resumed or forked last. */
export async function conversation(host, { do: what = 'begin', id }) {
  const { jar } = host.waybill;
  const owner = host.options.principal === undefined ? {} : { principal: host.options.principal };
  const current = host.conversation;
  if (what === 'begin') host.talk(jar.begin(owner));
  else if (what === 'resume') host.talk(jar.resume(id, owner));
  else if (what === 'fork') host.talk(await current.fork());
  else if (what === 'leave') host.talk(undefined);
  else {
    host.talk(undefined);
    await current.end();
  }
  return { result: { id: host.conversation?.id ?? null } };
}

/** The functions of a settings page. */
export async function jar(host, { do: what = 'export', server, name, value, scope, conversation: talk }) {
  const { jar: own } = host.waybill;
  const owner = host.options.principal === undefined ? {} : { principal: host.options.principal };
  const part = {
    ...owner,
    ...(scope !== undefined && { scope }),
    ...(talk !== undefined && { conversation: talk }),
  };
  const at = server === undefined ? {} : { server };
  const ways = {
    principals: () => own.principals(),
    list: () => own.list(owner),
    show: () => own.show(server, part),
    edit: () => own.edit(server, name, value, part),
    export: () => own.export({ ...owner, ...at }),
    clear: async () => ({ cleared: await own.clear({ ...part, ...at }) }),
    flush: () => own.flush(),
  };
  return { result: (await ways[what]()) ?? {} };
}
