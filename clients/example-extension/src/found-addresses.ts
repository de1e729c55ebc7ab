// An address holds a credit until its mail has had the time to bounce. A hold lasts an hour at most: it is released when the address
// bounces, committed after fifty minutes otherwise, and returns by itself if the browser is closed then.
import { type Connection, type ShortlistClient, ShortlistError } from '../../typescript/src/client.ts';

type Outcome = 'committed' | 'released';
/** `unsent`: the hold may have been made, but its reply was lost. */
export type FoundAddress = { address: string; idempotencyKey: string } & (
  { state: 'unsent' } | { state: 'held' | Outcome; reservationId: string; expiresAt: string }
);

export type FoundAddresses = {
  list: () => Promise<FoundAddress[]>;
  /** Holds a credit for an address. One that is held or paid already is not held again. */
  hold: (address: string) => Promise<void>;
  /** Does nothing to an address that is not held. */
  settle: (address: string, outcome: Outcome) => Promise<void>;
  /** A browser that has been closed may have forgotten them. */
  restoreAlarms: () => Promise<void>;
};

const HOLD_SECONDS = 3_600;
const COMMITTED_BEFORE_END_MS = 10 * 60_000;
/** Of the tries to commit, until one succeeds or the hold has ended. */
const PERIOD_MINUTES = 2;

const { local } = chrome.storage;

/** Does nothing when the alarm is set already. */
const commitLater = async (address: string, expiresAt: string): Promise<void> => {
  if ((await chrome.alarms.get(address)) !== undefined) return;
  const when = Date.parse(expiresAt) - COMMITTED_BEFORE_END_MS;
  await chrome.alarms.create(address, { when, periodInMinutes: PERIOD_MINUTES });
};

const isPaid = (found: FoundAddress | undefined): boolean =>
  found?.state === 'held' || found?.state === 'committed';

/** One command at a time, since each reads before it writes. */
const alone = (run: () => Promise<void>): Promise<void> => navigator.locks.request('found-addresses', run);

/** Whether the request may have been carried out, although it has failed. */
const isUncertain = (error: unknown): boolean =>
  !(error instanceof ShortlistError) || error.status === 0 || error.status >= 500;

/** What has become of the reservation: another outcome than the given one may have come first. */
const settled = async (shortlist: ShortlistClient, id: string, outcome: Outcome): Promise<Outcome> => {
  try {
    await (outcome === 'committed' ? shortlist.commit(id) : shortlist.release(id));
    return outcome;
  } catch (error) {
    const { code } = error as ShortlistError;
    if (code === 'credits.reservation_not_found') return 'released';
    if (code !== 'credits.reservation_ended') throw error;
    return outcome === 'committed' ? 'released' : 'committed';
  }
};

/** The addresses of the signed-in user, in the storage of the extension. */
export const createFoundAddresses = (shortlist: ShortlistClient, connection: Connection): FoundAddresses => {
  const prefix = async (): Promise<string> => `${await connection.name()}:found:`;
  const read = async (name: string) => (await local.get<FoundAddress>(name))[name];

  /** The key is written down before it is sent, so that a repetition after a lost reply holds no second credit. */
  const reserve = async (name: string, address: string, idempotencyKey: string): Promise<void> => {
    await local.set({ [name]: { address, idempotencyKey, state: 'unsent' } satisfies FoundAddress });
    const {
      id: reservationId,
      state,
      expiresAt,
    } = await shortlist.reserve({
      reason: 'email_found',
      reference: address,
      holdSeconds: HOLD_SECONDS,
      idempotencyKey,
    });
    const found: FoundAddress = { address, idempotencyKey, state, reservationId, expiresAt };
    await local.set({ [name]: found });
    if (state === 'held') await commitLater(address, expiresAt);
  };

  const list = async (): Promise<FoundAddress[]> => {
    const start = await prefix();
    const entries = Object.entries(await local.get<FoundAddress>(null));
    return entries.filter(([name]) => name.startsWith(start)).map(([, found]) => found);
  };

  return {
    list,
    hold: (address) =>
      alone(async () => {
        const name = (await prefix()) + address;
        const known = await read(name);
        if (isPaid(known)) return;
        const key = known?.state === 'unsent' ? known.idempotencyKey : crypto.randomUUID();
        try {
          await reserve(name, address, key);
        } catch (error) {
          if (!isUncertain(error)) await local.remove(name);
          throw error;
        }
      }),
    settle: (address, outcome) =>
      alone(async () => {
        const name = (await prefix()) + address;
        const found = await read(name);
        if (found?.state === 'held') {
          const state = await settled(shortlist, found.reservationId, outcome);
          await local.set({ [name]: { ...found, state } satisfies FoundAddress });
        }
        await chrome.alarms.clear(address);
      }),
    restoreAlarms: async () => {
      for (const found of await list())
        if (found.state === 'held') await commitLater(found.address, found.expiresAt);
    },
  };
};
