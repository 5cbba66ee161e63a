import type { Readable } from 'node:stream';

/** Takes chunks no faster than `take` is done with them. The async iterator of a stream would cost more than all else on the way. */
export function eachChunk(body: Readable, take: (chunk: Uint8Array) => void | Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      const room = take(chunk);
      if (room === undefined) return;
      body.pause();
      void room.then(() => body.resume());
    });
    body.once('end', resolve).once('error', reject);
    body.once('close', () => reject(new Error('The stream ended early')));
  });
}
