import { publicPaths } from '@shortlist/contracts/api/public';
import { mutate } from 'swr';
import { authorization, emitSessionSignal } from '../api/call.ts';

/** The areas of server data. The first element of an SWR key is its area. */
const AREAS = ['credits', 'subscription', 'profile', 'privacy', 'directory', 'earnings', 'config'] as const;

/** Profile and credits contain the plan, so a change of the subscription makes them stale, too. */
const withDependents = (areas: readonly string[]): Set<string> => {
  const all = new Set(areas);
  if (all.has('subscription')) all.add('profile').add('credits');
  return all;
};

/** Loads the data of these areas again as far as it is on the screen. */
export const revalidate = async (areas: readonly string[]): Promise<void> => {
  const stale = withDependents(areas);
  await mutate((key) => Array.isArray(key) && stale.has(String(key[0])));
};

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** The stale areas that a server-sent event names. An invalid event names none. */
const staleAreas = (event: string): string[] => {
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .join('');
  try {
    const { stale } = JSON.parse(data) as { stale?: unknown };
    return Array.isArray(stale) ? stale.filter((area): area is string => typeof area === 'string') : [];
  } catch {
    return [];
  }
};

const readEvents = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true }).replaceAll('\r', '')).split('\n\n');
    rest = events.pop() ?? '';
    const stale = events.flatMap(staleAreas);
    if (stale.length > 0) void revalidate(stale);
  }
};

type Ending = 'rejected' | 'lost';

/** Reads one connection until it ends. EventSource cannot send the authorization header, hence fetch. */
const readConnection = async (token: string, signal: AbortSignal, onOpen: () => void): Promise<Ending> => {
  const headers = { accept: 'text/event-stream', ...authorization(token) };
  const response = await fetch(publicPaths.live, { headers, signal, credentials: 'same-origin' });
  if (response.status === 401 || response.status === 403) return 'rejected';
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isStream || response.body === null) return 'lost';
  onOpen();
  await readEvents(response.body);
  return 'lost';
};

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });

/** Revalidates the areas that the server reports as stale, until `signal` aborts it. */
export const followLiveUpdates = async (token: string, signal: AbortSignal): Promise<void> => {
  let wait = FIRST_WAIT_MS;
  let connections = 0;
  const handleOpen = (): void => {
    wait = FIRST_WAIT_MS;
    connections += 1;
    // Events may have been missed while the connection was down.
    if (connections > 1) void revalidate(AREAS);
  };
  while (!signal.aborted) {
    const ending = await readConnection(token, signal, handleOpen).catch((): Ending => 'lost');
    if (ending === 'rejected') {
      emitSessionSignal({ kind: 'rejected', token });
      return;
    }
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
};
