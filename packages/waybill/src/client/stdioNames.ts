import type { StdioCommand } from '../transport/index.js';

/** Names servers behind commands: `stdioIdentity()` of `waybill/client/node`, or a function of your own. */
export interface StdioNames {
  /** Returns the name under which the server keeps state and stands in the ledger. */
  (command: StdioCommand): string | undefined;
  /** Returns the package, module or image that a command names, whatever its arguments. Rules of a policy are for these names too. */
  readonly packageOf?: (command: StdioCommand) => StdioPackage | undefined;
}

export interface StdioPackage {
  /** `npm:@scope/server`. */
  readonly name: string;
  /** False if something else may run under this name, such as a program of the project. Rules for it then only take away. */
  readonly isCertain: boolean;
}
