import { migration } from '../data/migration.ts';
import { OUTBOX_AND_INBOX } from '../messaging/tables.ts';

/** A migration with the outbox and the inbox alone, for tests of the messaging code. */
export const createOutboxAndInbox = migration('CreateOutboxAndInbox1763600000000', OUTBOX_AND_INBOX);
