import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
import { endedRights } from '@shortlist/kit/data/rights';
import { accountEntity, deletedUserEntity, freeCycleEntity } from './accounts/queries.ts';
import { bucketEntity, warningEntity } from './buckets/queries.ts';
import { dailyUseEntity } from './charges/daily-use-queries.ts';
import { contactEntity } from './contacts/queries.ts';
import { ledgerEntryEntity, ledgerPartEntity } from './ledger/queries.ts';
import {
  amounts,
  balanceEntries,
  buckets,
  historyIndexes,
  holdSeconds,
  initial,
  mailSetting,
  oneTable,
  prices,
  rowsLeft,
  warnings,
} from './migrations.ts';
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
  migrations: [
    initial,
    amounts,
    mailSetting,
    warnings,
    buckets,
    balanceEntries,
    holdSeconds,
    prices,
    historyIndexes,
    rowsLeft,
    endedRights,
    oneTable,
  ],
  rights: AUDIT_RIGHTS,
};
