import { contactEntity } from './contacts/queries.ts';
import { freeCycleEntity } from './windows/free-cycle-queries.ts';
import { ledgerEntryEntity } from './ledger/queries.ts';
import { amounts, initial, mailSetting, warnings } from './migrations.ts';
import { reservationEntity } from './reservations/queries.ts';
import { accountEntity, deletedUserEntity, windowEntity } from './windows/queries.ts';
import { warningEntity } from './windows/warning-queries.ts';

/**
 * Every transaction locks rows in one order, so that none deadlocks with another: account, free cycle, reservation, contact, window,
 * ledger entry. A reservation that is made is new, so its lock is the last one and delays no other transaction.
 */
export const schema = {
  entities: [
    accountEntity,
    contactEntity,
    deletedUserEntity,
    freeCycleEntity,
    ledgerEntryEntity,
    reservationEntity,
    warningEntity,
    windowEntity,
  ],
  migrations: [initial, amounts, mailSetting, warnings],
};
