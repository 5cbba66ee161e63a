/** The page's connection to its server. Every request carries the token of this launch. */
import { signal } from '@preact/signals';
import type { PageEvent } from '../../cli/src/inspect/protocol.js';
import { t } from './texts.js';

/** `expired`: the token is of another launch. `gone`: the command has ended. */
export const connection = signal<'open' | 'expired' | 'gone'>('open');

const TOKEN = 'waybill-token';

/** The token leaves the address at once, so that no screenshot, bookmark or shared link holds it. */
function takeToken(): string {
  const given = location.hash.slice(1);
  if (given !== '') {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(TOKEN) ?? '';
}

const token = takeToken();

/** Rejects with the words for the user if the connection is lost; the banner shows the same. */
async function request(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    connection.value = 'gone';
    throw new Error(t('gone'), { cause: error });
  }
  if (response.status !== 401) return response;
  connection.value = 'expired';
  throw new Error(t('expired'));
}

export async function api<T>(method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await request(path, { method, ...(signal && { signal }), ...(body !== undefined && { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

/**
 * Hands every event to `hear`, and connects again when the stream breaks. `opened` is called at each (re)connection; the server then sends
 * everything again.
 */
export async function followEvents(hear: (event: PageEvent) => void, opened: () => void): Promise<void> {
  for (;;) {
    await readEvents(hear, opened).catch(() => undefined);
    if (connection.value === 'expired') return;
    connection.value = 'gone';
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function readEvents(hear: (event: PageEvent) => void, opened: () => void): Promise<void> {
  const response = await request('api/events', { method: 'GET' });
  if (!response.ok || response.body === null) return;
  connection.value = 'open';
  opened();
  let rest = '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') hear(JSON.parse(line) as PageEvent);
  }
}
