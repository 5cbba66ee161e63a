/** Reads a small JSON document of an issuer. Redirects are not followed: they would let one host speak for another. */
const MAX_BYTES = 1024 * 1024;

export async function readJson(address: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(address, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal,
  }).catch((error: unknown) => {
    const { message, cause } = error as Error;
    throw new Error(`${address}: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message}`);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answers with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > MAX_BYTES) throw new Error(`${address} gives more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Error(`${address} gives no JSON`);
  }
}
