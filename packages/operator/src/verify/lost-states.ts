// What topics say and databases lack, as after a restore. A topic has what was committed before, so it is read first; who has no account is left
// out at the end, because a deletion removes the rest.
import { planEvents } from '@shortlist/contracts/events/billing';
import { creditsGranted, type CreditsSpent, creditsSpent } from '@shortlist/contracts/events/credits';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import type { Reader } from '@shortlist/kit/data/reader';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { type EventHandlers, on, parseMessage } from '@shortlist/kit/messaging/handle-batch';
import { defineInvariant, idsOf } from './sources.ts';

const parse = (handlers: EventHandlers, value: string) => {
  try {
    return parseMessage(handlers, value);
  } catch {
    return null; // V5 finds it among the dead letters
  }
};

const readValid = (bus: Bus, topic: string, handlers: EventHandlers): Promise<void> =>
  bus.readAll(topic, async ({ value }) => {
    const parsed = parse(handlers, value);
    await parsed?.handler.handle(parsed.event);
  });

/** Rows compared at once. */
const CHUNK = 2_000;

type Stated = { userId: string; key: string };
/** The rows of these users with these keys: a table may have no index that begins with the key. */
type FindRows = (pairs: readonly (readonly [userId: string, key: string])[]) => Promise<Stated[]>;

const idOf = ({ userId, key }: Stated): string => `${userId} ${key}`;

/** What events of a topic state, of which no row is found. */
const findMissing = async <Data>(
  bus: Bus,
  event: EventType<Data>,
  { keyOf, find }: { keyOf: (data: Data) => string | null; find: FindRows },
): Promise<Stated[]> => {
  const missing: Stated[] = [];
  let stated: Stated[] = [];
  const compare = async (): Promise<void> => {
    if (stated.length === 0) return;
    const rows = await find(stated.map(({ userId, key }) => [userId, key] as const));
    const stored = new Set(rows.map(idOf));
    missing.push(...stated.filter((one) => !stored.has(idOf(one))));
    stated = [];
  };
  const note = async ({ subject: userId, data }: CloudEvent<Data>): Promise<void> => {
    const key = keyOf(data);
    if (key !== null && stated.push({ userId, key }) === CHUNK) await compare();
  };
  await readValid(bus, event.topic, [on(event, note)]);
  await compare();
  return missing;
};

const ofAccounts = async (identity: Reader, stated: Stated[]): Promise<Stated[]> => {
  const accounts = await idsOf(identity, 'SELECT id FROM accounts');
  return stated.filter(({ userId }) => accounts.has(userId));
};

/** V4 Who has registered has an account, unless it was deleted. */
export const registeredHaveAccounts = defineInvariant({
  id: 'V4',
  about: 'who registered has an account',
  needs: ['identity', 'bus'],
  find: async ({ identity, bus }) => {
    const users = new Set<string>();
    const deleted = new Set<string>();
    // A registration that is published again can follow the deletion.
    await readValid(bus, userRegistered.topic, [
      on(userRegistered, ({ subject }) => Promise.resolve(void users.add(subject))),
      on(userDeleted, ({ subject }) => Promise.resolve(void deleted.add(subject))),
    ]);
    const accounts = await idsOf(identity, 'SELECT id FROM accounts');
    return [...users]
      .filter((id) => !deleted.has(id) && !accounts.has(id))
      .map((id) => `${id} has registered and has no account`);
  },
});

/** V4 Each charge and grant of credits that was published is stored. */
export const chargesAreStored = defineInvariant({
  id: 'V4',
  about: 'published charges and grants are stored',
  needs: ['identity', 'credits', 'bus'],
  find: async ({ identity, credits, bus }) => {
    const charges = await findMissing(bus, creditsSpent, {
      keyOf: ({ charge }: CreditsSpent) => charge?.operationId ?? null,
      find: (pairs) =>
        credits.select(
          'SELECT user_id AS userId, operation_id AS `key` FROM ledger WHERE (user_id, operation_id) IN (?)',
          [pairs],
        ),
    });
    const grants = await findMissing(bus, creditsGranted, {
      keyOf: ({ bucketId }) => bucketId,
      find: (pairs) =>
        credits.select(
          'SELECT user_id AS userId, source_key AS `key` FROM credit_buckets WHERE (user_id, source_key) IN (?)',
          [pairs],
        ),
    });
    return [
      ...(await ofAccounts(identity, charges)).map(
        ({ userId, key }) => `charge ${key} of ${userId} is not stored`,
      ),
      ...(await ofAccounts(identity, grants)).map(
        ({ userId, key }) => `grant ${key} of ${userId} is not stored`,
      ),
    ];
  },
});

/** V6 billing itself has the newest version of each plan that it published. */
export const plansAreNewest = defineInvariant({
  id: 'V6',
  about: 'no published plan is newer than the stored one',
  needs: ['identity', 'billing', 'bus'],
  find: async ({ identity, billing, bus }) => {
    const published = new Map<string, number>();
    const handlers = planEvents.map((event) =>
      on(event, ({ subject, data: { planState } }) =>
        Promise.resolve(
          void published.set(subject, Math.max(published.get(subject) ?? 0, planState.version)),
        ),
      ),
    );
    for (const topic of new Set(planEvents.map((event) => event.topic)))
      await readValid(bus, topic, handlers);
    const rows = await billing.select<{ userId: string; version: number }>(
      'SELECT user_id AS userId, version FROM subscribers',
    );
    const stored = new Map(rows.map(({ userId, version }) => [userId, version]));
    const older = [...published].filter(([userId, version]) => (stored.get(userId) ?? 0) < version);
    const stated = older.map(([userId, version]) => ({ userId, key: String(version) }));
    return (await ofAccounts(identity, stated)).map(
      ({ userId, key }) =>
        `billing has version ${stored.get(userId) ?? 0} of ${userId}'s plan, its topic ${key}`,
    );
  },
});

type Address = { userId: string; email: string };

/** V6 profile and billing have the address of each account. */
export const addressesAgree = defineInvariant({
  id: 'V6',
  about: 'the copies of each address are the newest',
  needs: ['identity', 'profile', 'billing'],
  find: async ({ identity, profile, billing }) => {
    const accounts = await identity.select<Address>(
      "SELECT id AS userId, email FROM accounts WHERE role = 'user'",
    );
    const emails = new Map(accounts.map(({ userId, email }) => [userId, email]));
    const copies = {
      profile: await profile.select<Address>('SELECT user_id AS userId, email FROM profiles'),
      billing: await billing.select<Address>(
        'SELECT user_id AS userId, email FROM subscribers WHERE deleted_at IS NULL',
      ),
    };
    return Object.entries(copies).flatMap(([owner, rows]) =>
      rows
        .filter(({ userId, email }) => (emails.get(userId) ?? email) !== email)
        .map(({ userId }) => `${owner} has another address of ${userId} than identity`),
    );
  },
});
