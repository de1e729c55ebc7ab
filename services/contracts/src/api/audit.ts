import { defineEndpoint } from './endpoint.ts';

/** One change by an admin. `before` and `after` are what was changed, as far as it may be read; null where there is none. */
export type AuditEntry = {
  id: string;
  at: string;
  actorId: string;
  address: string;
  action: string;
  targetId: string;
  before: object | null;
  after: object | null;
};

/** An entry as a colleague reads it: by whom, as an address. Null for an admin who is no longer there. */
export type AuditView = AuditEntry & { actorEmail: string | null };

/** `from` and `to` are moments in ISO 8601, the first within, the second without; `before`: entries older than the one of this id. */
export type AuditQuery = {
  targetId?: string;
  actorId?: string;
  action?: string;
  address?: string;
  from?: string;
  to?: string;
  before?: string;
  limit?: number;
};

/** The same door at each owner; bff lays their entries together. */
export const auditEndpoint = defineEndpoint<AuditQuery, { data: AuditEntry[] }>('GET', '/audit');
