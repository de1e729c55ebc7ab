import type { Role } from '@shortlist/contracts/api/identity';
import { EntitySchema } from 'typeorm';

export type AccountRow = { id: string; email: string; passwordHash: string; role: Role; createdAt: Date };

export const accountEntity = new EntitySchema<AccountRow>({
  name: 'account',
  tableName: 'accounts',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    passwordHash: { name: 'password_hash', type: 'varchar', length: 255 },
    role: { type: 'enum', enum: ['user', 'admin'] },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});
