import { migration } from '@shortlist/kit/data/migration';

// The states are JSON without spaces, in which a string that is a value follows a colon.
const REDACTED = (column: string): string =>
  `REGEXP_REPLACE(a.${column}, ':"([^"\\\\\\\\]|\\\\\\\\.)*"', ':"(redacted)"')`;

/** Entries about users who were deleted before their entries here were redacted too; those of late payments name amounts and ids. */
export const redactedEntries = migration('RedactedEntriesBilling1795400014000', [
  `UPDATE audit_log a JOIN subscribers s ON s.user_id = a.target_id
   SET a.before_state = ${REDACTED('before_state')}, a.after_state = ${REDACTED('after_state')}
   WHERE s.deleted_at IS NOT NULL AND a.action LIKE 'plan.%'`,
]);
