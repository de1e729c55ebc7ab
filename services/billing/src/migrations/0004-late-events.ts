import { migration } from '@shortlist/kit/data/migration';

/** Events that arrived after the deletion of their users were stored as received, with names and addresses. */
export const lateEvents = migration('LateEventsBilling1795400013000', [
  `UPDATE stripe_events e JOIN subscribers s ON s.customer_id = e.customer_id
   SET e.payload = '{}' WHERE s.deleted_at IS NOT NULL AND e.payload <> '{}'`,
]);
