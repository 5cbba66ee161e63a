// The code in the documents. A fence that names a file of docs/snippets shows that file, or one region of it:
//   ```ts guides/cart.ts#server
// The files are type-checked and run by `npm test`, so a reader can trust what the documents show.
import { existsSync, readFileSync } from 'node:fs';

const FENCE = /^( *)```(ts|js|yaml|json)(?: ([\w./-]+)(?:#([\w-]+))?)?\n([^]*?)^ *```$/gm;

/** The document with each of its snippets as it is in docs/snippets now. `problems` names fences that cannot be filled. */
export function withSnippets(text, folder) {
  const problems = [];
  const filled = text.replace(FENCE, (whole, indent, language, file, region, old) => {
    if (file === undefined) {
      if (language === 'ts' || language === 'js') problems.push(`a fence that names no file: ${old.trim().split('\n')[0]}`);
      return whole;
    }
    const source = new URL(file, folder);
    if (!existsSync(source)) return (problems.push(`there is no docs/snippets/${file}`), whole);
    const code = regionOf(readFileSync(source, 'utf8'), region);
    if (code === '') return (problems.push(`docs/snippets/${file} has no region ${region}`), whole);
    const place = region === undefined ? file : `${file}#${region}`;
    return `${indent}\`\`\`${language} ${place}\n${code.replace(/^(?=.)/gm, indent)}\n${indent}\`\`\``;
  });
  return { text: filled, problems };
}

/** The lines of a region, or of the whole file, without markers and common indentation. Regions of the same name follow each other. */
export function regionOf(source, region) {
  const parts = [];
  let open = [];
  for (const line of source.split('\n')) {
    const [, begin, name] = /^\s*(?:\/\/|#) #(region|endregion)(?: (.+))?$/.exec(line) ?? [];
    if (begin === 'region') {
      open.push(name);
      if (name === region) parts.push([]);
    } else if (begin === 'endregion') open.pop();
    else if (region === undefined) (parts[0] ??= []).push(line);
    else if (open.includes(region)) parts.at(-1).push(line);
  }
  return parts.map((lines) => dedent(lines).join('\n').trim()).join('\n');
}

function dedent(lines) {
  const depth = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(Number.isFinite(depth) ? depth : 0));
}
