/** Environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Beginnings of variables that make a launcher run something else than its target, or find the target elsewhere: preloaded code, search
 * paths, registries, folders of settings and caches. A `$` marks a whole name. The case is ignored, as on Windows.
 */
const SELECTING = pattern(`
  PATH$ PATHEXT$ HOME$ HOMEDRIVE$ HOMEPATH$ USERPROFILE$ APPDATA$ LOCALAPPDATA$ SYSTEMROOT$ COMSPEC$ SHELL PREFIX$ DESTDIR$ TMPDIR$ TMP$ TEMP$
  XDG_CONFIG XDG_CACHE XDG_DATA_HOME$ LD_ DYLD_ GCONV_ GLIBC_ OPENSSL_ SSL_ BASH_ ENV$
  NODE_(?!ENV$) NPM_ PNPM_ BUN_ COREPACK_ DENO_ PYTHON PYPY PYENV_ __PYVENV UV_ DOCKER_
`);
/** Variables that belong to the machine or its user. A given value that this process has too changes nothing. */
const INHERITED = pattern(`
  PATH$ PATHEXT$ HOME$ HOMEDRIVE$ HOMEPATH$ USERPROFILE$ APPDATA$ LOCALAPPDATA$ SYSTEMROOT$ COMSPEC$ SHELL$ TMPDIR$ TMP$ TEMP$
`);

function pattern(beginnings: string): RegExp {
  return new RegExp(`^(?:${beginnings.trim().split(/\s+/).join('|')})`, 'i');
}

export function changesWhatRuns(variable: string): boolean {
  return SELECTING.test(variable);
}

/** Tells whether one of the variables given to a transport changes what its launcher runs. */
export function selectsWhatRuns(given: Variables, own: Variables): boolean {
  return Object.entries(given).some(([name, value]) => changesWhatRuns(name) && !(INHERITED.test(name) && value === own[name]));
}
