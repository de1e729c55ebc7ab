import type { TokenPurpose } from '@shortlist/contracts/api/identity';
import { EntitySchema } from 'typeorm';

export type MailedTokenRow = {
  tokenHash: string;
  purpose: TokenPurpose;
  accountId: string;
  /** What the token is about, such as one change of an e-mail address. */
  reference: string | null;
  codeHash: string | null;
  /** Written by the release before this one, which may still run during an update. */
  attempts?: number;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
};

export const mailedTokenEntity = new EntitySchema<MailedTokenRow>({
  name: 'mailed_token',
  tableName: 'mailed_tokens',
  columns: {
    tokenHash: { name: 'token_hash', type: 'char', length: 43, primary: true },
    purpose: { type: 'varchar', length: 20 },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    reference: { type: 'char', length: 36, nullable: true },
    codeHash: { name: 'code_hash', type: 'char', length: 43, nullable: true },
    attempts: { type: 'int', default: 0 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
    usedAt: { name: 'used_at', type: 'datetime', precision: 3, nullable: true },
  },
});
