import { test } from 'vitest';
import { travel } from '../journeys/scenario.js';
import { plain } from '../journeys/telling.js';
import { openThrough } from './through.js';

for (const front of ['http', 'stdio'] as const)
  for (const back of ['http', 'stdio'] as const)
    for (const client of ['v1', 'v2-pinned'] as const)
      for (const server of ['v1', 'v2'] as const)
        test(`${client} ${front} ${back} ${server}`, { timeout: 20_000 }, async () => {
          const journey = await openThrough({ client, server, front, back });
          try {
            for (const [step, what] of plain(await travel(journey)) as any) console.log(step, JSON.stringify(what)?.slice(0, 300));
          } finally {
            await journey.close();
          }
        });
