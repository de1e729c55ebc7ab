import { auditEndpoint, type AuditEntry, type AuditView } from '@shortlist/contracts/api/audit';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { AUDIT_PAGE } from '@shortlist/contracts/limits';
import type { Caller } from '@shortlist/kit/http/service-token';
import { composed, type Route } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** Adds the actors' e-mail addresses, which only identity knows, with one call for the whole page. */
const addEmails = async (
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

/** Each service keeps its own part of the audit log. Ids grow with time, so the parts merge by id, newest first. */
export const auditLogEndpoint = (services: Services): Route =>
  composed(publicEndpoints.audit, async ({ input: { limit = AUDIT_PAGE, ...query }, caller }) => {
    const owners = [services.identity, services.profile, services.billing];
    const parts = await Promise.all(
      owners.map((call) => call(auditEndpoint, { ...query, limit }, { caller })),
    );
    const entries = parts.flatMap(({ data }) => data).sort((a, b) => (a.id < b.id ? 1 : -1));
    const page = entries.slice(0, limit);
    const hasMore = entries.length > limit || parts.some((part) => part.data.length === limit);
    return {
      data: await addEmails(services, caller, page),
      next: hasMore ? (page.at(-1)?.id ?? null) : null,
    };
  });

/** What needs an operator: the last checks of the set-up at Stripe, and the alerts. */
export const systemEndpoint = ({ billing }: Services): Route =>
  composed(publicEndpoints.system, async ({ caller }) => {
    const [setup, alerts] = await Promise.all([
      billing(billingEndpoints.getStripeSetup, {}, { caller }),
      billing(billingEndpoints.listAlerts, {}, { caller }),
    ]);
    return { data: { stripe: setup.data, alerts: alerts.data } };
  });
