import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Run } from '../run.js';

/** A file in which a host lists its servers. */
export interface HostFile {
  readonly host: string;
  readonly path: string;
  /** `project`: it came with a folder, so somebody else may have written it. */
  readonly scope: 'project' | 'user';
}

const PROJECT_FILES = [
  { host: 'Claude Code', path: ['.mcp.json'] },
  { host: 'Cursor', path: ['.cursor', 'mcp.json'] },
  { host: 'VS Code', path: ['.vscode', 'mcp.json'] },
];

/** The user's own files, by host. */
function userFiles({ env }: Run): readonly (readonly [string, string])[] {
  const home = env['HOME'] ?? homedir();
  const applications =
    process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : process.platform === 'win32'
        ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
        : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  return [
    ['Claude Code', join(home, '.claude.json')],
    ['Claude Desktop', join(applications, 'Claude', 'claude_desktop_config.json')],
    ['Cursor', join(home, '.cursor', 'mcp.json')],
    ['VS Code', join(applications, 'Code', 'User', 'mcp.json')],
    ['Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    ['Codex', join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml')],
    ['Inspector', env['MCP_CATALOG_PATH'] ?? join(home, '.mcp-inspector', 'mcp.json')],
  ];
}

/** Every place where servers may be listed; most of the files are not there. */
export function hostFiles(run: Run): HostFile[] {
  const user = userFiles(run).map(([host, path]) => ({ host, path, scope: 'user' as const }));
  const own = new Set(user.map(({ path }) => path));
  const project = PROJECT_FILES.map(({ host, path }) => ({ host, path: join(run.cwd, ...path), scope: 'project' as const }));
  return [...project.filter(({ path }) => !own.has(path)), ...user];
}

/** A file that the user names. With the name of a project's file it counts as one, wherever it is, unless it is the user's own. */
export function namedFile(path: string, run: Run): HostFile {
  const whole = resolve(run.cwd, path);
  const own = userFiles(run).find(([, one]) => one === whole);
  if (own !== undefined) return { host: own[0], path: whole, scope: 'user' };
  const project = PROJECT_FILES.find(({ path: names }) =>
    names.length === 1 ? basename(whole) === names[0] : basename(whole) === names[1] && basename(dirname(whole)) === names[0],
  );
  return project === undefined ? { host: 'named', path: whole, scope: 'user' } : { host: project.host, path: whole, scope: 'project' };
}
