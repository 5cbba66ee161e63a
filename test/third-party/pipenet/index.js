/** mcp-proxy imports this only for `--tunnel`. The real package needs Node 22, and `npm ci` would warn about it on Node 20. */
export function pipenet() {
  throw new Error('mcp-proxy --tunnel: this workspace installs no pipenet, since that needs Node 22');
}
