// @ts-check
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** Writes a generated file in the style of the tree. @param {URL | string} file @param {string} text */
export async function writeFormatted(file, text) {
  const filepath = file instanceof URL ? fileURLToPath(file) : file;
  await writeFile(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}
