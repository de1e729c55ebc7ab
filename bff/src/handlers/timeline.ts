import { type AdminRole, may, type Permission } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  itemsOfKind,
  timelineEndpoint as part,
  TIMELINE_SOURCES,
  type TimelineEntry,
  type TimelineItem,
  type TimelineKind,
  type TimelineQuery,
  type TimelineSource,
  type TimelineView,
} from '@shortlist/contracts/api/timeline';
import { seconds } from '@shortlist/contracts/durations';
import { TIMELINE_PAGE } from '@shortlist/contracts/limits';
import { cursorOf, newestOf } from '@shortlist/kit/data/newest-first';
import { RETRY_SECONDS } from '@shortlist/kit/http/respond';
import type { Caller } from '@shortlist/kit/http/service-token';
import { withTimeout } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route } from '../http/endpoint.ts';
import { type Services, unlessAway } from '../services.ts';
import { nameIn, readPeople } from './audit-log.ts';
import { presentNote } from './notes.ts';

/** How long a page waits for each service, without whose entries it responds then. */
const PATIENCE_MS = seconds(2);

/** What the role of an admin must include to read an item. */
const PERMISSIONS: Partial<Record<TimelineItem, Permission>> = {
  payment: 'revenue.read',
  refund: 'revenue.read',
  dispute: 'revenue.read',
  subscription: 'revenue.read',
  change: 'audit.read',
};

const mayRead = (role: AdminRole | null, item: TimelineItem): boolean => {
  const permission = PERMISSIONS[item];
  return permission === undefined || may(role, permission);
};

/** The services that may have entries of this kind that this role may read, each with their items. */
const sourcesFor = (role: AdminRole | null, kind: TimelineKind | undefined) =>
  (Object.keys(TIMELINE_SOURCES) as TimelineSource[])
    .map((source) => {
      const items = itemsOfKind(TIMELINE_SOURCES[source], kind).filter((item) => mayRead(role, item));
      return { source, items: items.join(',') };
    })
    .filter(({ items }) => items !== '');

type Parts = { services: Services; log: Log };

/** null after PATIENCE_MS, too. */
const waitIn =
  (log: Log) =>
  <Reply>(call: Promise<Reply>): Promise<Reply | null> =>
    unlessAway(
      log,
      withTimeout(call, PATIENCE_MS, () => createError('service.timeout')),
    );

type Query = Omit<TimelineQuery, 'items'> & { role: AdminRole | null; caller: Caller };

/** The newest entries of all services, and which of them did not respond. */
const readEntries = async (
  { services, log }: Parts,
  { role, caller, ...query }: Query,
): Promise<{ entries: TimelineEntry[]; missing: TimelineSource[] }> => {
  const wait = waitIn(log);
  const sources = sourcesFor(role, query.kind);
  const replies = await Promise.all(
    sources.map(({ source, items }) => wait(services[source](part, { ...query, items }, { caller }))),
  );
  const missing = sources.filter((_, index) => replies[index] === null).map(({ source }) => source);
  if (missing.length > 0 && missing.length === sources.length)
    throw createError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
  const entries = replies.flatMap((reply) => reply?.data ?? []);
  return { entries: newestOf(entries, query.limit), missing };
};

/** With the names of the persons; without those that no service says in time. */
const present = async (
  { services, log }: Parts,
  caller: Caller,
  entries: readonly TimelineEntry[],
): Promise<TimelineView[]> => {
  const changes = entries.flatMap((entry) => ('change' in entry ? [entry.change] : []));
  if (changes.length === 0 && !entries.some((entry) => 'note' in entry)) return entries as TimelineView[];
  const people = await readPeople(services, caller, changes, waitIn(log));
  const admins = [...people.admins.values()];
  return entries.map((entry) => {
    if ('change' in entry) return { ...entry, change: nameIn(people, entry.change) };
    if ('note' in entry) return { ...entry, note: presentNote(entry.note, { admins, caller }) };
    return entry;
  });
};

export const timelineEndpoint = (parts: Parts): Route =>
  composed(
    publicEndpoints.timeline,
    async ({ input: { limit = TIMELINE_PAGE, ...input }, caller, session: { adminRole: role } }) => {
      const query = { ...input, limit: limit + 1, role, caller };
      const { entries, missing } = await readEntries(parts, query);
      const page = entries.slice(0, limit);
      const last = entries.length > limit ? page.at(-1) : undefined;
      return {
        data: await present(parts, caller, page),
        next: last === undefined ? null : cursorOf(last),
        missing,
      };
    },
  );
