// What topics say and databases lack, as after a restore. A topic has what was committed before, so it is read first; who has no account is left
// out after that, because a deletion removes the rest.
import { planEvents } from '@shortlist/contracts/events/billing';
import { creditsGranted, type CreditsSpent, creditsSpent } from '@shortlist/contracts/events/credits';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import type { Reader } from '@shortlist/kit/data/reader';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { type EventHandlers, on, parseMessage } from '@shortlist/kit/messaging/handle-batch';
import { accountsAmong, CHUNK, readPages, selectAmong } from './pages.ts';
import { defineInvariant, type Sources } from './sources.ts';

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

type Stated = { userId: string; key: string };
/** The rows of these users with these keys: a table may have no index that begins with the key. */
type FindRows = (pairs: readonly (readonly [userId: string, key: string])[]) => Promise<Stated[]>;

const idOf = ({ userId, key }: Stated): string => `${userId} ${key}`;

const ofAccounts = async <One extends { userId: string }>(
  identity: Reader,
  stated: One[],
): Promise<One[]> => {
  const accounts = await accountsAmong(identity, [...new Set(stated.map(({ userId }) => userId))]);
  return stated.filter(({ userId }) => accounts.has(userId));
};

/** What events of a topic state about accounts, of which no row is found. */
const findMissing = async <Data>(
  { bus, identity }: Pick<Sources, 'bus' | 'identity'>,
  event: EventType<Data>,
  { keyOf, find }: { keyOf: (data: Data) => string | null; find: FindRows },
): Promise<Stated[]> => {
  const missing: Stated[] = [];
  let stated: Stated[] = [];
  const compare = async (): Promise<void> => {
    if (stated.length === 0) return;
    const rows = await find(stated.map(({ userId, key }) => [userId, key] as const));
    const stored = new Set(rows.map(idOf));
    const unstored = stated.filter((one) => !stored.has(idOf(one)));
    missing.push(...(await ofAccounts(identity, unstored)));
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

/** Ids of users without an account that are in memory at once. The topic is read again for those that follow. */
const CANDIDATES = 10_000;

/** The smallest ids after this one that have registered and have no account. */
const findWithoutAccount = async (
  { identity, bus }: Pick<Sources, 'bus' | 'identity'>,
  after: string,
): Promise<Set<string>> => {
  let ids: string[] = [];
  let candidates: string[] = [];
  let last = ''; // nothing greater is of interest
  const compare = async (): Promise<void> => {
    const accounts = await accountsAmong(identity, ids);
    candidates.push(...ids.filter((id) => !accounts.has(id)));
    ids = [];
    if (candidates.length <= CANDIDATES) return;
    candidates = [...new Set(candidates)].toSorted().slice(0, CANDIDATES);
    if (candidates.length === CANDIDATES) last = candidates.at(-1) ?? '';
  };
  await readValid(bus, userRegistered.topic, [
    on(userRegistered, async ({ subject }) => {
      if (subject > after && (last === '' || subject < last) && ids.push(subject) === CHUNK) await compare();
    }),
  ]);
  await compare();
  return new Set(candidates.toSorted());
};

/** V4 Who has registered has an account, unless it was deleted. */
export const registeredHaveAccounts = defineInvariant({
  id: 'V4',
  about: 'who registered has an account',
  needs: ['identity', 'bus'],
  find: async ({ identity, bus }) => {
    const found: string[] = [];
    for (let after = ''; ;) {
      const candidates = await findWithoutAccount({ identity, bus }, after);
      const isLast = candidates.size < CANDIDATES;
      after = [...candidates].at(-1) ?? '';
      // Deletions are read afterwards: a registration that is published again can follow its deletion.
      if (candidates.size > 0)
        await readValid(bus, userDeleted.topic, [
          on(userDeleted, ({ subject }) => Promise.resolve(void candidates.delete(subject))),
        ]);
      found.push(...[...candidates].map((id) => `${id} has registered and has no account`));
      if (isLast) return found;
    }
  },
});

/** V4 Each charge and grant of credits that was published is stored. */
export const chargesAreStored = defineInvariant({
  id: 'V4',
  about: 'published charges and grants are stored',
  needs: ['identity', 'credits', 'bus'],
  find: async ({ identity, credits, bus }) => {
    const charges = await findMissing({ bus, identity }, creditsSpent, {
      keyOf: ({ charge }: CreditsSpent) => charge?.operationId ?? null,
      find: (pairs) =>
        credits.select(
          'SELECT user_id AS userId, operation_id AS `key` FROM ledger WHERE (user_id, operation_id) IN (?)',
          [pairs],
        ),
    });
    const grants = await findMissing({ bus, identity }, creditsGranted, {
      keyOf: ({ bucketId }) => bucketId,
      find: (pairs) =>
        credits.select(
          'SELECT user_id AS userId, source_key AS `key` FROM credit_buckets WHERE (user_id, source_key) IN (?)',
          [pairs],
        ),
    });
    return [
      ...charges.map(({ userId, key }) => `charge ${key} of ${userId} is not stored`),
      ...grants.map(({ userId, key }) => `grant ${key} of ${userId} is not stored`),
    ];
  },
});

type Plan = { userId: string; version: number };

const VERSIONS = 'SELECT user_id AS userId, version FROM subscribers WHERE user_id IN (?)';

/** Adds to `newest` the published plans of accounts that are newer than the stored ones. */
const addNewer = async (
  { identity, billing }: Pick<Sources, 'billing' | 'identity'>,
  published: Map<string, number>,
  newest: Map<string, Plan & { stored: number }>,
): Promise<void> => {
  const rows = await selectAmong<Plan>(billing, VERSIONS, [...published.keys()]);
  const versions = new Map(rows.map(({ userId, version }) => [userId, version]));
  const newer = [...published]
    .map(([userId, version]) => ({ userId, version, stored: versions.get(userId) ?? 0 }))
    .filter(({ version, stored }) => stored < version);
  for (const plan of await ofAccounts(identity, newer))
    if ((newest.get(plan.userId)?.version ?? 0) < plan.version) newest.set(plan.userId, plan);
};

/** V6 billing itself has the newest version of each plan that it published. */
export const plansAreNewest = defineInvariant({
  id: 'V6',
  about: 'no published plan is newer than the stored one',
  needs: ['identity', 'billing', 'bus'],
  find: async ({ identity, billing, bus }) => {
    const newest = new Map<string, Plan & { stored: number }>();
    let published = new Map<string, number>();
    const compare = async (): Promise<void> => {
      await addNewer({ identity, billing }, published, newest);
      published = new Map();
    };
    const handlers = planEvents.map((event) =>
      on(event, async ({ subject, data: { planState } }) => {
        published.set(subject, Math.max(published.get(subject) ?? 0, planState.version));
        if (published.size === CHUNK) await compare();
      }),
    );
    for (const topic of new Set(planEvents.map((event) => event.topic)))
      await readValid(bus, topic, handlers);
    await compare();
    return [...newest.values()].map(
      ({ userId, version, stored }) =>
        `billing has version ${stored} of ${userId}'s plan, its topic ${version}`,
    );
  },
});

type Address = { userId: string; email: string };

const PROFILES = 'SELECT user_id AS userId, email FROM profiles WHERE user_id > ? ORDER BY user_id LIMIT ?';
const SUBSCRIBERS = `SELECT user_id AS userId, email FROM subscribers
  WHERE deleted_at IS NULL AND user_id > ? ORDER BY user_id LIMIT ?`;
const USERS = "SELECT id AS userId, email FROM accounts WHERE role = 'user' AND id IN (?)";

/** V6 profile and billing have the address of each account. */
export const addressesAgree = defineInvariant({
  id: 'V6',
  about: 'the copies of each address are the newest',
  needs: ['identity', 'profile', 'billing'],
  find: async ({ identity, profile, billing }) => {
    const found: string[] = [];
    const copies = [
      { owner: 'profile', db: profile, sql: PROFILES },
      { owner: 'billing', db: billing, sql: SUBSCRIBERS },
    ];
    for (const { owner, db, sql } of copies)
      for await (const page of readPages<Address>(db, { sql, keyOf: ({ userId }) => userId })) {
        const ids = page.map(({ userId }) => userId);
        const accounts = await selectAmong<Address>(identity, USERS, ids);
        const emails = new Map(accounts.map(({ userId, email }) => [userId, email]));
        found.push(
          ...page
            .filter(({ userId, email }) => (emails.get(userId) ?? email) !== email)
            .map(({ userId }) => `${owner} has another address of ${userId} than identity`),
        );
      }
    return found;
  },
});
