import { seconds } from '@shortlist/contracts/durations';
import { SESSION_ABSOLUTE_SECONDS } from '@shortlist/contracts/limits';
import type { Redis, Script } from '@shortlist/kit/data/redis';
import { keysOfUser, type Restriction, STORED_RESTRICTION, withAvailability } from './session.ts';

/** A session that has not ended. Times are in ms since the epoch. */
export type ListedSession = {
  /** The name of its key. */
  name: string;
  id: string;
  role: string;
  browser: string;
  system: string;
  place: string;
  binding: string;
  by: string;
  restriction: string;
  beganAt: number;
  lastSeenAt: number;
};

type Fields = Record<string, string>;

const listed = (name: string, fields: Fields): ListedSession => ({
  name,
  id: fields['id'] ?? '',
  role: fields['role'] ?? '',
  browser: fields['browser'] ?? '',
  system: fields['system'] ?? '',
  place: fields['place'] ?? '',
  binding: fields['binding'] ?? '',
  by: fields['by'] ?? '',
  restriction: fields['restriction'] ?? '',
  beganAt: Number(fields['ends']) - seconds(SESSION_ABSOLUTE_SECONDS),
  lastSeenAt: Number(fields['seen']),
});

/** The sessions of a user that have neither expired nor been ended, the one used last first. */
const listSessions = async (redis: Redis, userId: string): Promise<ListedSession[]> => {
  const keys = keysOfUser(userId);
  const [names, least] = await Promise.all([redis.zrange(keys.names, '0', '-1'), redis.get(keys.generation)]);
  const found = await Promise.all(
    names.map(async (name) => ({ name, fields: await redis.hgetall(keys.session(name)) })),
  );
  return found
    .filter(
      ({ fields }) => fields['id'] !== undefined && Number(fields['generation'] ?? -1) >= Number(least ?? 0),
    )
    .map(({ name, fields }) => listed(name, fields))
    .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
};

/** The name of the session with this id, which an event of its account may have made too old already. */
export const findName = async (redis: Redis, userId: string, id: string): Promise<string | undefined> => {
  const keys = keysOfUser(userId);
  const names = await redis.zrange(keys.names, '0', '-1');
  const ids = await Promise.all(names.map((name) => redis.hget(keys.session(name), 'id')));
  return names[ids.indexOf(id)];
};

export type SessionList = {
  /** The user's own sessions, the one used last first. */
  list: (userId: string) => Promise<ListedSession[]>;
  /** Ends the session with this id. Returns false when the user has none. */
  endById: (userId: string, id: string) => Promise<boolean>;
  /** Ends the user's sessions that are bound to this cookie. */
  endBound: (userId: string, binding: string) => Promise<void>;
  /** Lifts this restriction from every session of the user that has it. */
  liftRestriction: (userId: string, restriction: Restriction) => Promise<void>;
};

/** Those of one session, with its keys. */
type Scripts = { end: Script<number>; restrict: Script<number> };

/** Lists the sessions of a user and ends those that a predicate selects. */
export const createSessionList = (redis: Redis, scripts: Scripts): SessionList => {
  const endWhere = async (userId: string, selects: (session: ListedSession) => boolean): Promise<number> => {
    const keys = keysOfUser(userId);
    const selected = (await listSessions(redis, userId)).filter(selects);
    const ended = await Promise.all(
      selected.map(({ name }) => scripts.end([keys.session(name), keys.names], [name])),
    );
    return ended.reduce((sum, count) => sum + count, 0);
  };
  const end: typeof endWhere = (userId, selects) => withAvailability(endWhere(userId, selects));
  return {
    list: async (userId) =>
      (await withAvailability(listSessions(redis, userId))).filter(({ by }) => by === ''),
    endById: async (userId, id) => (await end(userId, (session) => session.id === id)) > 0,
    endBound: async (userId, binding) => {
      await end(userId, (session) => session.binding === binding);
    },
    liftRestriction: async (userId, restriction) => {
      const { session } = keysOfUser(userId);
      const restricted = (await withAvailability(listSessions(redis, userId))).filter(
        (candidate) => candidate.restriction === STORED_RESTRICTION[restriction],
      );
      await withAvailability(
        Promise.all(
          restricted.map(({ name }) => scripts.restrict([session(name)], [STORED_RESTRICTION.none])),
        ),
      );
    },
  };
};
