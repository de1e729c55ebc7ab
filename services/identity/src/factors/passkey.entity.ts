import { EntitySchema } from 'typeorm';

export type PasskeyRow = {
  id: string;
  accountId: string;
  /** The authenticator's own id and its public key (COSE), in base64url. */
  credentialId: string;
  publicKey: string;
  /** Grows with each use of an authenticator that counts; always 0 for one that does not. */
  signCount: number;
  /** Separated by commas. */
  transports: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

export const passkeyEntity = new EntitySchema<PasskeyRow>({
  name: 'passkey',
  tableName: 'passkeys',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    credentialId: { name: 'credential_id', type: 'varchar', length: 1364 },
    publicKey: { name: 'public_key', type: 'varchar', length: 1364 },
    signCount: {
      ...{ name: 'sign_count', type: 'bigint' },
      transformer: { from: Number, to: (count: unknown) => count },
    },
    transports: { type: 'varchar', length: 200 },
    name: { type: 'varchar', length: 100 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    lastUsedAt: { name: 'last_used_at', type: 'datetime', precision: 3, nullable: true },
  },
});
