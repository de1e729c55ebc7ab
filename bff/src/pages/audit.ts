import { auditDoor } from '@shortlist/contracts/api/audit';
import { publicDoors } from '@shortlist/contracts/api/public';
import { AUDIT_PAGE, auditQuerySchema } from '@shortlist/kit/audit';
import type { Doors } from '@shortlist/kit/doors';
import type { Services } from '../services.ts';

/** Each owner keeps its own part of the log; their ids grow with time, so they lie together newest first. */
export const addAuditDoor = (doors: Doors, services: Services): void => {
  doors.add(publicDoors.audit, {
    roles: ['admin'],
    input: auditQuerySchema,
    answer: async ({ input: { limit = AUDIT_PAGE, ...query }, caller }) => {
      const owners = [services.identity, services.profile, services.billing];
      const parts = await Promise.all(owners.map((ask) => ask(auditDoor, { ...query, limit }, { caller })));
      const newest = parts.flatMap(({ data }) => data).sort((one, other) => (one.id < other.id ? 1 : -1));
      const data = newest.slice(0, limit);
      const more = newest.length > limit || parts.some((part) => part.data.length === limit);
      return { data, next: more ? (data.at(-1)?.id ?? null) : null };
    },
  });
};
