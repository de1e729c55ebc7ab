import { createChargeQueue, type FlushReport } from './charge-queue.ts';
import { type Connection, createConnection } from './connection.ts';
import { createLastEntitlements, type EntitlementsView } from './last-entitlements.ts';
import { createPendingCharges, type PendingCharge, type RefusedCharge } from './pending-charges.ts';
import type {
  Balance,
  Charge,
  ChargeEntry,
  ChargeFilter,
  ChargeInput,
  ChargePage,
  DayOfUsage,
  Me,
  Reservation,
  ReserveInput,
  UsageFilter,
} from './replies.ts';
import { type CallOptions, createSend, type Send } from './send.ts';
import { ShortlistError, withIdempotencyKey } from './shortlist-error.ts';
import { exclusively, memoryStorage, type Storage } from './storage.ts';

export type {
  Balance,
  CallOptions,
  Charge,
  ChargeEntry,
  ChargeFilter,
  ChargeInput,
  Connection,
  DayOfUsage,
  EntitlementsView,
  FlushReport,
  Me,
  PendingCharge,
  RefusedCharge,
  Reservation,
  ReserveInput,
  Storage,
  UsageFilter,
};
export { createConnection, ShortlistError };

export type ClientOptions = {
  /** Of the installation, such as `https://app.shortlist.example`. */
  url: string | undefined;
  /** An API key, which the user creates on the Connections page, or what `createConnection` returns. */
  key: string | Pick<Connection, 'token' | 'name'> | undefined;
  /** For tests and proxies. */
  fetch?: typeof fetch;
  /** Of the queue and of the last entitlements, which then survive a restart. */
  storage?: Storage;
  /** The time in milliseconds, for tests. */
  now?: () => number;
  /** Of a call with all its repetitions: 30 seconds unless given. */
  timeoutMs?: number;
  /** Of one attempt: 10 seconds unless given. */
  attemptMs?: number;
  /** How often a request is repeated: 4 times unless given. */
  retries?: number;
  /** A charge of the queue was refused when it was sent later. */
  onRefused?: (refused: RefusedCharge) => void;
};

type QueuedCharge = { isQueued: true; idempotencyKey: string };
type DirectCharge = Charge & { isQueued: false };

export type ShortlistClient = {
  me: (options?: CallOptions) => Promise<Me>;
  /** While the server cannot be reached, its last reply of the last 24 hours. */
  entitlements: (options?: CallOptions) => Promise<EntitlementsView>;
  /**
   * Charges credits. With `whenOffline: 'queue'` a charge waits while the server cannot be reached, as long as the last known balance
   * allows it, and is sent with the next call of `charge` or `flush`, in order and once.
   */
  charge: {
    (input: ChargeInput & { whenOffline?: never }, options?: CallOptions): Promise<Charge>;
    (
      input: ChargeInput & { whenOffline: 'queue' },
      options?: CallOptions,
    ): Promise<DirectCharge | QueuedCharge>;
  };
  /** The newest first; pages are read as they are needed. */
  charges: (filter?: ChargeFilter, options?: CallOptions) => AsyncGenerator<ChargeEntry, void, undefined>;
  reserve: (input: ReserveInput, options?: CallOptions) => Promise<Reservation>;
  commit: (reservationId: string, input?: { amount?: number }, options?: CallOptions) => Promise<Charge>;
  release: (reservationId: string, options?: CallOptions) => Promise<Balance>;
  usage: (filter?: UsageFilter, options?: CallOptions) => Promise<DayOfUsage[]>;
  /** Sends the charges that wait. */
  flush: (options?: CallOptions) => Promise<FlushReport>;
  pendingCharges: () => Promise<PendingCharge[]>;
  /** Takes a charge out of the queue. False: it was not there. */
  discardCharge: (idempotencyKey: string) => Promise<boolean>;
};

/** A key begins with its environment and a tag of its user: a new key of the same user finds what the former one has stored. */
const withKey = (key: string): Pick<Connection, 'token' | 'name'> => ({
  token: () => Promise.resolve(key),
  name: () => Promise.resolve(`shortlist:${key.slice(0, 24)}`),
});

const post = async <Body>(
  send: Send,
  { path, body, idempotencyKey }: { path: string; body?: object; idempotencyKey?: string },
  options?: CallOptions,
): Promise<Body> => {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  try {
    return (await send<Body>({ method: 'POST', path, body: body ?? {}, headers }, options)).body;
  } catch (error) {
    throw idempotencyKey === undefined ? error : withIdempotencyKey(error, idempotencyKey);
  }
};

async function* chargesOf(
  send: Send,
  { pageSize, ...filter }: ChargeFilter,
  options?: CallOptions,
): AsyncGenerator<ChargeEntry, void, undefined> {
  let cursor: string | undefined;
  do {
    const query = { ...filter, limit: pageSize, cursor };
    const { body } = await send<ChargePage>({ method: 'GET', path: '/api/v1/charges', query }, options);
    yield* body.data;
    cursor = body.next ?? undefined;
  } while (cursor !== undefined);
}

const reservationPath = (id: string, verb: string): string =>
  `/api/v1/reservations/${encodeURIComponent(id)}/${verb}`;

/** A client of the API for one key or connection. Throws a TypeError without an address or a key. */
export const createClient = (options: ClientOptions): ShortlistClient => {
  const { url, key, storage = memoryStorage(), now = Date.now, onRefused = () => undefined } = options;
  if (!url || !key) throw new TypeError('createClient needs the url of the installation and an API key');
  const credential = typeof key === 'string' ? withKey(key) : key;
  const name = (part: string) => async () => `${await credential.name()}:${part}`;
  const send = createSend({
    timeoutMs: 30_000,
    attemptMs: 10_000,
    retries: 4,
    fetch: (...input) => fetch(...input),
    ...options,
    url,
    token: credential.token,
  });
  const lastEntitlements = createLastEntitlements({ send, storage, name, now });

  const remembered = async <Reply extends Balance>(reply: Promise<Reply>): Promise<Reply> => {
    await lastEntitlements.remember(await reply);
    return reply;
  };
  const sendCharge = ({ idempotencyKey, ...body }: ChargeInput, more?: CallOptions): Promise<Charge> =>
    remembered(
      post<Charge>(
        send,
        { path: '/api/v1/charges', body, idempotencyKey: idempotencyKey ?? crypto.randomUUID() },
        more,
      ),
    );
  const queue = createChargeQueue({
    charges: createPendingCharges({ sendCharge, storage, name }),
    lastEntitlements,
    runExclusively: exclusively(name('queue')),
    onRefused,
  });

  const queueCharge = async (
    input: ChargeInput,
    more?: CallOptions,
  ): Promise<DirectCharge | QueuedCharge> => {
    const { idempotencyKey = crypto.randomUUID() } = input;
    const charge = { ...input, idempotencyKey, queuedAt: new Date(now()).toISOString() };
    const reply = await queue.charge(charge, more);
    return reply === null ? { isQueued: true, idempotencyKey } : { ...reply, isQueued: false };
  };
  const charge = ({ whenOffline, ...input }: ChargeInput & { whenOffline?: 'queue' }, more?: CallOptions) =>
    whenOffline === 'queue' ? queueCharge(input, more) : sendCharge(input, more);

  return {
    me: async (more) => (await send<Me>({ method: 'GET', path: '/api/v1/me' }, more)).body,
    entitlements: async (more) => {
      const view = await lastEntitlements.read(queue.credits, more);
      if (!view.isStale) await queue.resume();
      return view;
    },
    charge: charge as ShortlistClient['charge'],
    charges: (filter = {}, more) => chargesOf(send, filter, more),
    reserve: ({ idempotencyKey = crypto.randomUUID(), ...body }, more) =>
      remembered(post<Reservation>(send, { path: '/api/v1/reservations', body, idempotencyKey }, more)),
    commit: (id, input = {}, more) =>
      remembered(post<Charge>(send, { path: reservationPath(id, 'commit'), body: input }, more)),
    release: (id, more) => remembered(post<Balance>(send, { path: reservationPath(id, 'release') }, more)),
    usage: async (filter = {}, more) =>
      (await send<{ data: DayOfUsage[] }>({ method: 'GET', path: '/api/v1/usage', query: filter }, more)).body
        .data,
    flush: queue.flush,
    pendingCharges: queue.list,
    discardCharge: queue.discard,
  };
};
