import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
import { accountEntity, deletedUserEntity, freeCycleEntity } from './accounts/queries.ts';
import { bucketEntity } from './buckets/bucket.entity.ts';
import { warningEntity } from './buckets/queries.ts';
import { dailyUseEntity } from './charges/daily-use-queries.ts';
import { contactEntity } from './contacts/queries.ts';
import { ledgerEntryEntity, ledgerPartEntity } from './ledger/queries.ts';
import { migrations } from './migrations.ts';
import { reservationEntity } from './reservations/queries.ts';

/**
 * Every transaction locks rows in one order, so that none deadlocks with another: reservation, contact, daily use, account, free cycle,
 * bucket, ledger entry. A reservation that is made is new, so its lock is the last one and delays no other transaction. The account is the
 * lock of a user's grants and packs.
 */
export const schema = {
  entities: [
    accountEntity,
    auditLogEntity,
    bucketEntity,
    chainEntity,
    contactEntity,
    dailyUseEntity,
    deletedUserEntity,
    freeCycleEntity,
    ledgerEntryEntity,
    ledgerPartEntity,
    reservationEntity,
    warningEntity,
  ],
  migrations,
  rights: AUDIT_RIGHTS,
};
