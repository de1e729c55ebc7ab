import { BUCKET_KINDS } from '@shortlist/contracts/api/credits';
import { PLANS } from '@shortlist/contracts/plan';
import * as column from '@shortlist/kit/data/columns';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';

/**
 * `plan` is null for a grant or a pack, and `endsAt` for a pack. `version` is that of the newest event about a pack, and 0 otherwise. A grant
 * has a `reason` and the admin who gave it. `pruned` is the part of `used` whose entries the ledger does not keep any more
 * (ledger/prune-ledger.ts). Two columns have their names from the table that held only the plan's buckets.
 */
export const bucketEntity = defineEntity('bucket', 'credit_buckets', {
  id: { ...column.bigint, primary: true, generated: 'increment' },
  userId: column.uuid,
  kind: column.enumOf(BUCKET_KINDS),
  source: { ...column.varchar(120), name: 'source_key' },
  plan: column.nullable(column.enumOf(PLANS)),
  credits: { ...column.unsigned, name: 'credit_limit' },
  usable: column.unsigned,
  used: column.unsigned,
  startsAt: column.dateTime,
  endsAt: column.nullable(column.dateTime),
  version: column.unsigned,
  reason: column.nullable(column.varchar(300)),
  grantedBy: column.nullable(column.uuid),
  pruned: { ...column.int, default: 0 },
});
export type Bucket = Omit<RowOf<typeof bucketEntity>, 'pruned'>;
