import { auditDoor, type AuditEntry, type AuditView } from '@shortlist/contracts/api/audit';
import { identityDoors } from '@shortlist/contracts/api/identity';
import { publicDoors } from '@shortlist/contracts/api/public';
import { AUDIT_PAGE, auditQuerySchema } from '@shortlist/kit/audit';
import type { Doors } from '@shortlist/kit/doors';
import type { Caller } from '@shortlist/kit/service-token';
import type { Services } from '../services.ts';

/** Only identity knows whose the ids are; it is asked once, for all who occur on the page. */
const withEmails = async (
  { identity }: Services,
  caller: Caller,
  entries: AuditEntry[],
): Promise<AuditView[]> => {
  if (entries.length === 0) return [];
  const ids = [...new Set(entries.map(({ actorId }) => actorId))].join(',');
  const { data } = await identity(identityDoors.adminEmails, { ids }, { caller });
  const emails = new Map(data.map(({ id, email }) => [id, email]));
  return entries.map((entry) => ({ ...entry, actorEmail: emails.get(entry.actorId) ?? null }));
};

/** Each owner keeps its own part of the log; their ids grow with time, so they lie together newest first. */
export const addAuditDoor = (doors: Doors, services: Services): void => {
  doors.add(publicDoors.audit, {
    roles: ['admin'],
    input: auditQuerySchema,
    answer: async ({ input: { limit = AUDIT_PAGE, ...query }, caller }) => {
      const owners = [services.identity, services.profile, services.billing];
      const parts = await Promise.all(owners.map((ask) => ask(auditDoor, { ...query, limit }, { caller })));
      const newest = parts.flatMap(({ data }) => data).sort((one, other) => (one.id < other.id ? 1 : -1));
      const page = newest.slice(0, limit);
      const more = newest.length > limit || parts.some((part) => part.data.length === limit);
      return {
        data: await withEmails(services, caller, page),
        next: more ? (page.at(-1)?.id ?? null) : null,
      };
    },
  });
};
