// The stream of live updates. It is loaded once a page is there, so that no first paint waits for it.
import {
  type Area,
  AREAS,
  type ChangedUsers,
  publicEndpoints,
  publicPaths,
} from '@shortlist/contracts/api/public';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { mutate } from 'swr';
import { authorization, emitSessionSignal } from '../api/call.ts';
import { type QueryKey, revalidate } from './use-query.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** The endpoints that list users by what these areas contain. */
const LISTS = new Set<unknown>(
  [publicEndpoints.listUsers, publicEndpoints.userTotals, publicEndpoints.newestUsers].map(
    ({ path }) => path,
  ),
);
const LISTED: readonly Area[] = ['profile', 'subscription'];

/** The names by which inputs have the id of a user. */
type About = { id?: string; userId?: string; targetId?: string };

/** Loads again what an admin's screen shows of these users: the lists, and what was read by the id of one of them. */
const revalidateUsers = async (changed: ChangedUsers): Promise<void> => {
  if (Object.keys(changed).length === 0) return;
  const isListStale = LISTED.some((area) => changed[area] !== undefined);
  const named = Object.values(changed);
  const isAbout = (input: About): boolean => {
    const about = input.targetId ?? input.userId ?? input.id;
    // A list that is null is of too many users to name them.
    return about !== undefined && named.some((ids) => ids === null || ids?.includes(about));
  };
  const isStale = ([area, , path, input]: QueryKey): boolean =>
    area === 'directory' && (LISTS.has(path) ? isListStale : isAbout(input));
  await mutate((key) => Array.isArray(key) && key.length === 4 && isStale(key as unknown as QueryKey));
};

const parseUpdate = (data: string): { stale?: unknown; changed?: unknown } => {
  try {
    return (JSON.parse(data) ?? {}) as object;
  } catch {
    return {}; // a heartbeat, or a message that this page does not know
  }
};

const isArea = (name: unknown): name is Area => AREAS.includes(name as Area);

/** A page reads what has changed at most once in this time, and shows the last state two seconds after it at the latest. */
const READ_INTERVAL_MS = 1_600;

const union = (known: ChangedUsers, more: ChangedUsers): ChangedUsers => {
  const all = { ...known };
  for (const [area, ids] of Object.entries(more) as [Area, readonly string[] | null][]) {
    const before = all[area];
    all[area] = ids === null || before === null ? null : [...new Set([...(before ?? []), ...ids])];
  }
  return all;
};

type Reads = { add: (areas: readonly Area[], changed?: ChangedUsers) => void };

/**
 * Collects what events name: a read begins when the one before has ended, at most once in that time, with everything named meanwhile. A hidden
 * page reads once it is visible again.
 */
const createReads = (signal: AbortSignal): Reads => {
  let stale = new Set<Area>();
  let changed: ChangedUsers = {};
  let isReading = false;
  let beganAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const read = async (): Promise<void> => {
    const [areas, users] = [[...stale], changed];
    [stale, changed] = [new Set(), {}];
    isReading = true;
    beganAt = performance.now();
    await Promise.allSettled([revalidate(areas), revalidateUsers(users)]);
    isReading = false;
    schedule();
  };
  const schedule = (): void => {
    const isNothingNamed = stale.size === 0 && Object.keys(changed).length === 0;
    if (signal.aborted || isReading || document.hidden || isNothingNamed) return;
    clearTimeout(timer);
    const wait = beganAt + READ_INTERVAL_MS - performance.now();
    if (wait <= 0) void read();
    else timer = setTimeout(schedule, wait);
  };
  document.addEventListener('visibilitychange', schedule, { signal });
  return {
    add: (areas, users = {}) => {
      for (const area of areas) stale.add(area);
      changed = union(changed, users);
      schedule();
    },
  };
};

/** Has what a server-sent event names read again. An invalid event names nothing. */
const follow = ({ data }: EventSourceMessage, { add }: Reads): void => {
  const { stale, changed } = parseUpdate(data);
  if (Array.isArray(stale)) add(stale.filter(isArea));
  if (typeof changed === 'object' && changed !== null) add([], changed);
};

const readEvents = async (body: ReadableStream<BufferSource>, reads: Reads): Promise<void> => {
  const parser = createParser({ onEvent: (event) => follow(event, reads) });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    parser.feed(value);
  }
};

type Ending = 'rejected' | 'lost';

/** Reads one connection until it ends. EventSource cannot send the authorization header, hence fetch. */
const readConnection = async (
  { token, signal, reads }: { token: string; signal: AbortSignal; reads: Reads },
  onOpen: () => void,
): Promise<Ending> => {
  const headers = { accept: 'text/event-stream', ...authorization(token) };
  const response = await fetch(publicPaths.live, { headers, signal, credentials: 'same-origin' });
  if (response.status === 401 || response.status === 403) return 'rejected';
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isStream || response.body === null) return 'lost';
  onOpen();
  await readEvents(response.body, reads);
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
  const reads = createReads(signal);
  const handleOpen = (): void => {
    wait = FIRST_WAIT_MS;
    connections += 1;
    // Events may have been missed while the connection was down.
    if (connections > 1) reads.add(AREAS);
  };
  while (!signal.aborted) {
    const ending = await readConnection({ token, signal, reads }, handleOpen).catch((): Ending => 'lost');
    if (ending === 'rejected') {
      emitSessionSignal({ kind: 'rejected', token });
      return;
    }
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
};
