import { EntitySchema } from 'typeorm';

export type RecoveryCodeRow = { accountId: string; codeHash: string; createdAt: Date; usedAt: Date | null };

export const recoveryCodeEntity = new EntitySchema<RecoveryCodeRow>({
  name: 'recovery_code',
  tableName: 'recovery_codes',
  columns: {
    accountId: { name: 'account_id', type: 'char', length: 36, primary: true },
    codeHash: { name: 'code_hash', type: 'char', length: 43, primary: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    usedAt: { name: 'used_at', type: 'datetime', precision: 3, nullable: true },
  },
});
