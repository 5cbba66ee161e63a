/** mcp-proxy imports this for `--tunnel` alone. The real package needs Node 22, and `npm ci` would warn of it on Node 20. */
export function pipenet() {
  throw new Error('mcp-proxy --tunnel: this workspace installs no pipenet, since that needs Node 22');
}
