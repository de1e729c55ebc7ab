import { EntitySchema } from 'typeorm';

/** A credit that is charged but not settled. The ledger has the charge under the same operation id. */
export type ReservationRow = {
  id: string;
  userId: string;
  operationId: string;
  state: 'held' | 'committed' | 'released';
  expiresAt: Date;
};

export const reservationEntity = new EntitySchema<ReservationRow>({
  name: 'reservation',
  tableName: 'reservations',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    state: { type: 'enum', enum: ['held', 'committed', 'released'] },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
  },
});
