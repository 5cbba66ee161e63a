/** The self-check for workerd: one file without imports, and the configuration that runs it as a test. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export async function bundleWorker(file) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('worker.mjs', import.meta.url)),
    resolve: { conditionNames: ['workerd', 'worker', 'import', 'default'] },
    // Only workerd with nodejs_compat has these modules, and the packages load them only at run time.
    external: /^node:/,
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
}

export const workerdConfig = (flags) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-07-28",
  compatibilityFlags = [${flags.map((flag) => JSON.stringify(flag)).join(', ')}],
);
`;
