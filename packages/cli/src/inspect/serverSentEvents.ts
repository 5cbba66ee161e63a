/** Server-sent events, as far as a gateway's feed needs them: `event` and `data`. */
interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** A stream with a longer line is not read as a feed. */
const MAX_TEXT = 20_000_000;

export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > MAX_TEXT) throw new Error('The feed sends an event that is too large.');
    for (const block of blocks) {
      const event = parse(block);
      if (event.data !== '') yield event;
    }
  }
}

function parse(block: string): ServerSentEvent {
  const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line));
  const valuesOf = (name: string): string[] => fields.flatMap((found) => (found?.[1] === name ? [found[2] ?? ''] : []));
  return { event: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') };
}
