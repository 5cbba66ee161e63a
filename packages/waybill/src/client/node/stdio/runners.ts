/** What runs or passes on to whatever it is told, and so is never a server itself, whichever registry it came from (STATE-39). */
const RUNNERS = words(`
  node nodejs deno bun python python2 python3 pypy pypy3 tsx ts-node ts-node-esm ts-node-dev tsm tsimp esno esmo esbuild-runner jiti vite-node swc-node sucrase-node
  babel-node @babel/node @swc-node/register @oxc-node/cli zx nodemon pm2 forever concurrently cross-env dotenv dotenv-cli dotenvx @dotenvx/dotenvx env-cmd node-dev
  c8 nyc npm npx pnpm pnpx yarn bunx uv uvx pip pipx poetry pdm hatch rye pixi docker podman nerdctl
  mcp-remote mcp-proxy supergateway fastmcp mcp-run mcp-hub mcphub mcpo mcp-bridge mcp-gateway mcp-router @mcp-router/cli mcp-cli mcp-inspector
  @modelcontextprotocol/inspector @modelcontextprotocol/inspector-cli @smithery/cli smithery mcp-superassistant-proxy mcp-stdio-to-streamable-http-adapter
`);
const PYTHON_RUNNERS = words(
  'mcp runpy pdb trace profile cprofile coverage debugpy ipython ipdb kernprof viztracer pyinstrument scalene watchfiles watchdog watchmedo',
);
/** Images that hold a language or a system, and nothing of a server. */
const BASE_IMAGES = words(`
  golang go rust ruby php perl openjdk java jdk jre eclipse-temurin amazoncorretto dotnet sdk runtime aspnet elixir erlang swift julia r-base haskell
  ubuntu debian alpine busybox fedora centos rockylinux almalinux archlinux amazonlinux opensuse ubi ubi8 ubi9 buildpack-deps static base conda miniconda3 anaconda3 mambaforge
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

export function isRunner(name: string): boolean {
  return RUNNERS.has(name);
}

export function isPythonRunner(name: string): boolean {
  return RUNNERS.has(name) || PYTHON_RUNNERS.has(name);
}

/** `python`, `docker.io/library/python`, `ghcr.io/astral-sh/uv@sha256:…`: by its last part, whoever built it. */
export function isRunnerImage(name: string): boolean {
  const last = (name.split('@', 1)[0] as string).split('/').pop() as string;
  return RUNNERS.has(last) || BASE_IMAGES.has(last);
}

/** A script that is a runner's own: `node_modules/.bin/tsx`, `node_modules/tsx/dist/cli.mjs`, `venv/bin/fastmcp`. */
export function isRunnerScript(path: string): boolean {
  const normal = path.replaceAll('\\', '/');
  const inPackage = /.*\/?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(normal)?.[1];
  const program = /[^/]*$/.exec(normal)?.[0] ?? '';
  return isPythonRunner(program) || (inPackage !== undefined && RUNNERS.has(inPackage));
}
