// Part of the build: the command ships a copy of the example shop, for `waybill try` and `waybill shop`.
import { cpSync, rmSync } from 'node:fs';

const to = new URL('./dist/shop/', import.meta.url);
rmSync(to, { recursive: true, force: true });
cpSync(new URL('../../examples/shop/', import.meta.url), to, { recursive: true });
