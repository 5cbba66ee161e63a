/** Packages that only some gateways need. They are imported when they are used, and a missing one is named with the command that installs it. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';

  constructor(packages: readonly string[], use: string) {
    super(
      `${use} needs ${packages.length === 1 ? 'the package' : 'the packages'} ${packages.join(', ')}: npm install ${packages.join(' ')}`,
    );
  }
}

/** `use`: the part of the configuration that needs the packages, as in "metrics". */
export async function optional<T>(packages: readonly string[], use: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // A package that is there and cannot be loaded has another problem, which must be seen.
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new MissingPackage(packages, use);
  }
}
