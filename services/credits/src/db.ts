import { contactEntity } from './contacts/contact.entity.ts';
import { freeCycleEntity } from './free-cycles/free-cycle.entity.ts';
import { ledgerEntryEntity } from './ledger/ledger-entry.entity.ts';
import { initial } from './migrations/0001-initial.ts';
import { contactKeys } from './migrations/0002-contact-keys.ts';
import { reservationEntity } from './reservations/reservation.entity.ts';
import { accountEntity } from './users/account.entity.ts';
import { deletedUserEntity } from './users/deleted-user.entity.ts';
import { exhaustedWindowEntity } from './windows/exhausted-window.entity.ts';
import { windowEntity } from './windows/window.entity.ts';

/**
 * Every transaction locks rows in one order, so that none deadlocks with another: account, free cycle, reservation, contact, window,
 * ledger entry. A reservation that is made is new, so its lock is the last one and delays no other transaction.
 */
export const schema = {
  entities: [
    accountEntity,
    contactEntity,
    deletedUserEntity,
    exhaustedWindowEntity,
    freeCycleEntity,
    ledgerEntryEntity,
    reservationEntity,
    windowEntity,
  ],
  migrations: [initial, contactKeys],
};
