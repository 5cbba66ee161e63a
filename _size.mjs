import { rolldown } from 'rolldown'; import { gzipSync } from 'node:zlib'; import fs from 'node:fs';
const entries = process.argv.slice(2);
for (const e of entries) {
  const b = await rolldown({ input: e, resolve:{}, logLevel:'silent' });
  const { output } = await b.generate({ format:'esm', minify:true });
  const code = output[0].code;
  const mods = Object.entries(output[0].modules).map(([k,v])=>[k.replace(/.*\/(node_modules|time)\//,''), v.code?.length ?? v.renderedLength]).sort((a,b)=>b[1]-a[1]);
  console.log(e, code.length, gzipSync(code).length);
  if (process.env.M) for (const [k,n] of mods) console.log('  ',n,k);
}
