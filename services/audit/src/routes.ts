import { auditEndpoint } from '@shortlist/contracts/api/audit';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { listAudit } from './queries.ts';

/** The endpoint through which a service returns its part of the audit log. */
export const addAuditEndpoint = (router: Router, db: Db): void => {
  router.add(auditEndpoint, async ({ input }) => ({ data: await listAudit(db.manager, input) }));
};
