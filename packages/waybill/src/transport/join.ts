/** One HTTP answer made of several: the answers to the messages of a batch, which were served one by one. */
import { isMediaType } from '../wire/headers.js';

const typeOf = (response: Response): string | null => response.headers.get('content-type');
const isJson = (response: Response): boolean => isMediaType(typeOf(response), 'application/json');
const isStream = (response: Response): boolean => isMediaType(typeOf(response), 'text/event-stream');

/** A JSON list, or a stream if one of the answers is a stream. Answers without a message, as to notifications, leave nothing. */
export async function joinResponses(responses: readonly Response[]): Promise<Response> {
  const telling = responses.filter((response) => isJson(response) || isStream(response));
  const [first] = telling;
  if (first === undefined) return responses[0] ?? new Response(null, { status: 202 });
  const headers = new Headers(first.headers);
  headers.delete('content-length');
  if (telling.some(isStream)) {
    headers.set('content-type', 'text/event-stream');
    return new Response(merged(telling), { headers });
  }
  const answers: unknown[] = await Promise.all(telling.map((response) => response.json()));
  return new Response(JSON.stringify(answers), { headers });
}

/** Each answer comes in whole events, so events of several may alternate. */
function merged(responses: readonly Response[]): ReadableStream<Uint8Array> {
  const readers = responses.filter(isStream).flatMap(({ body }) => (body === null ? [] : [body.getReader()]));
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const asEvent = async (response: Response): Promise<void> =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(await response.json())}\n\n`));
      const copy = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) controller.enqueue(next.value);
      };
      const copying = Promise.all([...responses.filter(isJson).map(asEvent), ...readers.map(copy)]);
      // Not awaited: what is there can be read before the last answer is.
      void copying.then(
        () => controller.close(),
        (error: unknown) => controller.error(error),
      );
    },
    async cancel(reason) {
      await Promise.all(readers.map((reader) => reader.cancel(reason)));
    },
  });
}
