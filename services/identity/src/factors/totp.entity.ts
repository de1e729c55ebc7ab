import { EntitySchema } from 'typeorm';

export type TotpRow = {
  accountId: string;
  /** Encrypted with the key `keyId`. */
  secret: string;
  keyId: string;
  /** The time step of the newest code that was used: no code of it or before it works again. */
  lastStep: number;
  createdAt: Date;
  /** Null until a code has confirmed the secret. */
  confirmedAt: Date | null;
};

export const totpEntity = new EntitySchema<TotpRow>({
  name: 'totp_secret',
  tableName: 'totp_secrets',
  columns: {
    accountId: { name: 'account_id', type: 'char', length: 36, primary: true },
    secret: { type: 'varchar', length: 200 },
    keyId: { name: 'key_id', type: 'varchar', length: 16 },
    lastStep: {
      name: 'last_step',
      type: 'bigint',
      transformer: { from: Number, to: (step: unknown) => step },
    },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    confirmedAt: { name: 'confirmed_at', type: 'datetime', precision: 3, nullable: true },
  },
});
