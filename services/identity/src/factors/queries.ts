import { hash } from 'node:crypto';
import type { AccountFactors, FactorsView, PasskeyView } from '@shortlist/contracts/api/factors';
import { RECOVERY_CODES } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { integer, selectRow } from '@shortlist/kit/data/sql';
import { In, IsNull, LessThan, MoreThan, MoreThanOrEqual, Not } from 'typeorm';
import type { AccountRow } from '../accounts/queries.ts';
import type { Sealed } from './factor-keys.ts';

export const passkeyEntity = defineEntity('passkey', 'passkeys', {
  id: { ...column.uuid, primary: true },
  accountId: column.uuid,
  /** The authenticator's own id and its public key (COSE), in base64url. */
  credentialId: column.varchar(1364),
  publicKey: column.varchar(1364),
  /** Grows with each use; always 0 if the authenticator does not count. */
  signCount: { ...column.bigint, unsigned: false },
  /** Separated by commas. */
  transports: column.varchar(200),
  name: column.varchar(100),
  createdAt: column.dateTime,
  lastUsedAt: column.nullable(column.dateTime),
});
export type PasskeyRow = RowOf<typeof passkeyEntity>;

export const recoveryCodeEntity = defineEntity('recovery_code', 'recovery_codes', {
  accountId: { ...column.uuid, primary: true },
  codeHash: { ...column.char(43), primary: true },
  /** The key of the hash; null for a code of version 1.0. */
  keyId: column.nullable(column.char(16)),
  createdAt: column.dateTime,
  usedAt: column.nullable(column.dateTime),
});

export const totpEntity = defineEntity('totp_secret', 'totp_secrets', {
  accountId: { ...column.uuid, primary: true },
  /** Encrypted with the key `keyId`. */
  secret: column.varchar(200),
  keyId: column.varchar(16),
  /** The time step of the newest used code: no code of this step or an earlier one works again. */
  lastStep: { ...column.bigint, unsigned: false },
  createdAt: column.dateTime,
  /** Null until a code has confirmed the secret. */
  confirmedAt: column.nullable(column.dateTime),
});
export type TotpRow = RowOf<typeof totpEntity>;

const ACTIVE = { confirmedAt: Not(IsNull()) };
const ALWAYS = new Date(0);

export const findTotp = (tx: Tx, accountId: string): Promise<TotpRow | null> =>
  tx.getRepository(totpEntity).findOneBy({ accountId });

export const lockTotp = (tx: Tx, accountId: string): Promise<TotpRow | null> =>
  tx.getRepository(totpEntity).findOne({ where: { accountId }, lock: { mode: 'pessimistic_write' } });

export const deletePendingTotp = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.getRepository(totpEntity).delete({ accountId, confirmedAt: IsNull() });
};

/** Replaces an unconfirmed secret. A confirmed one violates the primary key. */
export const replacePendingTotp = async (tx: Tx, row: TotpRow): Promise<void> => {
  await deletePendingTotp(tx, row.accountId);
  await insertRows(tx, totpEntity, row);
};

/** Confirms this secret. Returns false if it was replaced or confirmed in the meantime. */
export const confirmSecret = async (
  tx: Tx,
  { accountId, secret }: TotpRow,
  { step, at }: { step: number; at: Date },
): Promise<boolean> => {
  const result = await tx
    .getRepository(totpEntity)
    .update({ accountId, secret, confirmedAt: IsNull() }, { confirmedAt: at, lastStep: step });
  return result.affected === 1;
};

/** Marks a step as used unless it or a later one is, so that only one of two requests with the same code succeeds. */
export const useStep = async (tx: Tx, accountId: string, step: number): Promise<boolean> => {
  const result = await tx
    .getRepository(totpEntity)
    .update({ accountId, ...ACTIVE, lastStep: LessThan(step) }, { lastStep: step });
  return result.affected === 1;
};

/** The accounts whose secret another key has encrypted, in order. */
export const listTotpOfOtherKeys = async (
  tx: Tx,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<string[]> => {
  const rows = await tx.getRepository(totpEntity).find({
    select: { accountId: true },
    where: { keyId: Not(keyId), accountId: MoreThan(after) },
    order: { accountId: 'ASC' },
    take: limit,
  });
  return rows.map(({ accountId }) => accountId);
};

export const updateSecret = async (tx: Tx, accountId: string, sealed: Sealed): Promise<void> => {
  await tx.getRepository(totpEntity).update({ accountId }, sealed);
};

/** Deletes an authenticator app that was confirmed at `since` or later. Returns whether there was one. */
export const deleteTotp = async (tx: Tx, accountId: string, since = ALWAYS): Promise<boolean> => {
  const result = await tx
    .getRepository(totpEntity)
    .delete({ accountId, confirmedAt: MoreThanOrEqual(since) });
  return result.affected === 1;
};

export const replaceRecoveryCodes = async (
  tx: Tx,
  accountId: string,
  { hashes, keyId, at }: { hashes: string[]; keyId: string; at: Date },
): Promise<void> => {
  await tx.getRepository(recoveryCodeEntity).delete({ accountId });
  const rows = hashes.map((codeHash) => ({ accountId, codeHash, keyId, createdAt: at, usedAt: null }));
  await insertRows(tx, recoveryCodeEntity, rows);
};

/** Deletes the codes that were created at `since` or later. Returns whether there were any. */
export const deleteRecoveryCodes = async (tx: Tx, accountId: string, since = ALWAYS): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(recoveryCodeEntity)
    .delete({ accountId, createdAt: MoreThanOrEqual(since) });
  return (affected ?? 0) > 0;
};

/** The number of accounts with an unused code whose hash has another key, or one that is not known. */
export const countCodesOfOtherKeys = async (tx: Tx, keyId: string): Promise<number> => {
  const row = await selectRow(
    tx,
    { accounts: integer },
    {
      sql: `SELECT COUNT(DISTINCT account_id) AS accounts FROM recovery_codes
            WHERE used_at IS NULL AND NOT key_id <=> ?`,
      values: [keyId],
    },
  );
  return row?.accounts ?? 0;
};

export const countRecoveryCodes = (tx: Tx, accountId: string): Promise<number> =>
  tx.getRepository(recoveryCodeEntity).countBy({ accountId, usedAt: IsNull() });

/** Uses up a code. Returns false if it is unknown or used. */
export const useRecoveryCode = async (
  tx: Tx,
  accountId: string,
  { hashes, at }: { hashes: string[]; at: Date },
): Promise<boolean> => {
  const result = await tx
    .getRepository(recoveryCodeEntity)
    .update({ accountId, codeHash: In(hashes), usedAt: IsNull() }, { usedAt: at });
  return result.affected === 1;
};

export const listPasskeys = (tx: Tx, accountId: string): Promise<PasskeyRow[]> =>
  tx.getRepository(passkeyEntity).find({ where: { accountId }, order: { id: 'ASC' } });

export const findPasskeyByCredential = (tx: Tx, credentialId: string): Promise<PasskeyRow | null> =>
  tx.getRepository(passkeyEntity).findOneBy({ credentialId });

export const insertPasskey = (tx: Tx, row: PasskeyRow): Promise<void> => insertRows(tx, passkeyEntity, row);

/** Stores the counter of a use. Returns false if it should have grown but has not. */
export const advanceCounter = async (
  tx: Tx,
  id: string,
  { signCount, at }: { signCount: number; at: Date },
): Promise<boolean> => {
  const before = signCount === 0 ? 0 : LessThan(signCount);
  const result = await tx
    .getRepository(passkeyEntity)
    .update({ id, signCount: before }, { signCount, lastUsedAt: at });
  return result.affected === 1;
};

export const renamePasskey = async (
  tx: Tx,
  { accountId, id }: Pick<PasskeyRow, 'accountId' | 'id'>,
  name: string,
): Promise<PasskeyRow | null> => {
  const repository = tx.getRepository(passkeyEntity);
  await repository.update({ id, accountId }, { name });
  return repository.findOneBy({ id, accountId });
};

export const deletePasskey = async (
  tx: Tx,
  { accountId, id }: Pick<PasskeyRow, 'accountId' | 'id'>,
): Promise<boolean> => {
  const result = await tx.getRepository(passkeyEntity).delete({ id, accountId });
  return result.affected === 1;
};

/** Deletes the passkeys that were added at `since` or later. Returns how many there were. */
export const deletePasskeys = async (tx: Tx, accountId: string, since = ALWAYS): Promise<number> => {
  const result = await tx
    .getRepository(passkeyEntity)
    .delete({ accountId, createdAt: MoreThanOrEqual(since) });
  return result.affected ?? 0;
};

export const readFactors = async (
  tx: Tx,
  accountId: string,
): Promise<{ totp: TotpRow | null; codesLeft: number; passkeys: PasskeyRow[] }> => {
  const [totp, codesLeft, passkeys] = await Promise.all([
    findTotp(tx, accountId),
    countRecoveryCodes(tx, accountId),
    listPasskeys(tx, accountId),
  ]);
  return { totp: totp?.confirmedAt ? totp : null, codesLeft, passkeys };
};

/** The factors of an account, for a log-in. No key of ours is in the fingerprint, since those are replaced. */
export const accountFactors = async (
  tx: Tx,
  { id, passwordHash, generation }: Pick<AccountRow, 'id' | 'passwordHash' | 'generation'>,
): Promise<AccountFactors> => {
  const { totp, codesLeft, passkeys } = await readFactors(tx, id);
  const state = [
    id,
    passwordHash,
    String(generation),
    totp?.createdAt.toISOString() ?? '',
    ...passkeys.map((passkey) => passkey.id),
  ];
  return {
    totp: totp !== null,
    recoveryCodes: totp === null ? 0 : codesLeft,
    passkeys: passkeys.length,
    fingerprint: hash('sha256', JSON.stringify(state), 'base64url'),
  };
};

export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

type Factors = { totp: TotpRow | null; codesLeft: number; passkeys: PasskeyRow[] };

export const presentFactors = ({ totp, codesLeft, passkeys }: Factors): FactorsView => ({
  totpSince: totp?.confirmedAt?.toISOString() ?? null,
  recoveryCodes: { left: codesLeft, total: RECOVERY_CODES },
  passkeys: passkeys.map(presentPasskey),
});
