import { auditEndpoint, type AuditEntry, type AuditView } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { AUDIT_PAGE } from '@shortlist/contracts/limits';
import { auditQuerySchema } from '@shortlist/contracts/schemas/audit';
import type { Router } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Services } from '../services.ts';

/** Only identity knows whose the ids are; it is asked once, for all who occur on the page. */
const withEmails = async (
  { identity }: Services,
  caller: Caller,
  entries: AuditEntry[],
): Promise<AuditView[]> => {
  if (entries.length === 0) return [];
  const ids = [...new Set(entries.map(({ actorId }) => actorId))].join(',');
  const { data } = await identity(identityEndpoints.adminEmails, { ids }, { caller });
  const emails = new Map(data.map(({ id, email }) => [id, email]));
  return entries.map((entry) => ({ ...entry, actorEmail: emails.get(entry.actorId) ?? null }));
};

/** Each owner keeps its own part of the log; their ids grow with time, so they lie together newest first. */
export const addAuditEndpoint = (router: Router, services: Services): void => {
  router.add(publicEndpoints.audit, {
    roles: ['admin'],
    input: auditQuerySchema,
    handle: async ({ input: { limit = AUDIT_PAGE, ...query }, caller }) => {
      const owners = [services.identity, services.profile, services.billing];
      const parts = await Promise.all(
        owners.map((ask) => ask(auditEndpoint, { ...query, limit }, { caller })),
      );
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
