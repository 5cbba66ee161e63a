/** Streams of Node, read and written without more in memory than has room. */
import type { Readable, Writable } from 'node:stream';

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

/** Resolves when a stream that was full has room again, or will never have any. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) {
      resolve();
      return;
    }
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}
