import { createOutboxAndInbox } from '@shortlist/kit/migration';
import { createLedger } from './migrations/0001-create-ledger.ts';
import { addCyclesAndReservations } from './migrations/0002-add-cycles-and-reservations.ts';
import { windowEntity } from './windows/window.entity.ts';

export const schema = {
  entities: [windowEntity],
  migrations: [createOutboxAndInbox, createLedger, addCyclesAndReservations],
};
