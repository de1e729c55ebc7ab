import type { SignInMethod, SignInOrigin } from '@shortlist/contracts/api/sign-ins';
import { EntitySchema } from 'typeorm';

export type SignInRow = SignInOrigin & {
  id: string;
  accountId: string;
  at: Date;
  outcome: 'succeeded' | 'failed';
  method: SignInMethod | 'support';
  attempts: number;
  sessionId: string | null;
  isNewDevice: boolean;
  /** When the user was warned of these failures by mail; of wrong passwords, unknown devices then had to wait. */
  warnedAt: Date | null;
};

export const signInEntity = new EntitySchema<SignInRow>({
  name: 'sign_in',
  tableName: 'sign_ins',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    at: { type: 'datetime', precision: 3 },
    outcome: { type: 'enum', enum: ['succeeded', 'failed'] },
    method: { type: 'varchar', length: 20 },
    attempts: { type: 'int' },
    browser: { type: 'varchar', length: 40 },
    system: { name: 'operating_system', type: 'varchar', length: 40 },
    network: { type: 'varchar', length: 50 },
    place: { type: 'varchar', length: 100 },
    sessionId: { name: 'session_id', type: 'char', length: 36, nullable: true },
    isNewDevice: { name: 'is_new_device', type: 'boolean' },
    warnedAt: { name: 'locked_at', type: 'datetime', precision: 3, nullable: true },
  },
});
