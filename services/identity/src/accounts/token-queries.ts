import type { TokenPurpose } from '@shortlist/contracts/api/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { EntitySchema, In, IsNull, LessThan, MoreThan } from 'typeorm';

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

export const insertToken = async (tx: Tx, token: MailedTokenRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(mailedTokenEntity).values(token).updateEntity(false).execute();
};

type Key = { tokenHash: string; purpose: TokenPurpose };

export const findOpenToken = (
  tx: Tx,
  { tokenHash, purpose }: Key,
  now: Date,
): Promise<MailedTokenRow | null> =>
  tx
    .getRepository(mailedTokenEntity)
    .findOneBy({ tokenHash, purpose, usedAt: IsNull(), expiresAt: MoreThan(now) });

/** Marks one token as used. Returns false when it is used or expired, also for the second of two at the same moment. */
export const markUsed = async (tx: Tx, tokenHash: string, now: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(mailedTokenEntity)
    .update({ tokenHash, usedAt: IsNull(), expiresAt: MoreThan(now) }, { usedAt: now });
  return affected === 1;
};

/** Gives a token another purpose, about nothing in particular, for which it can be used once. */
export const changePurpose = async (tx: Tx, { tokenHash, purpose }: Key, expiresAt: Date): Promise<void> => {
  const change = { purpose, reference: null, usedAt: null, expiresAt };
  await tx.getRepository(mailedTokenEntity).update({ tokenHash }, change);
};

type OfAccount = Pick<MailedTokenRow, 'accountId' | 'purpose'>;
type Selection = OfAccount & { reference?: string | null };

/** Marks every open token of an account with this purpose, and with this reference if one is given, as used. */
export const markAllUsed = async (
  tx: Tx,
  { accountId, purpose, reference }: Selection,
  now: Date,
): Promise<void> => {
  const isAbout = reference === undefined ? {} : { reference: reference ?? IsNull() };
  await tx
    .getRepository(mailedTokenEntity)
    .update({ accountId, purpose, ...isAbout, usedAt: IsNull() }, { usedAt: now });
};

/** Makes the open tokens of an account about something else. */
export const moveTokens = async (
  tx: Tx,
  { accountId, purpose, reference }: OfAccount & { reference: string },
  to: string,
): Promise<void> => {
  await tx
    .getRepository(mailedTokenEntity)
    .update({ accountId, purpose, reference, usedAt: IsNull() }, { reference: to });
};

/** Rows are few and small, so each new token removes the old ones of its account. */
export const deleteExpiredTokens = async (tx: Tx, accountId: string, before: Date): Promise<void> => {
  await tx.getRepository(mailedTokenEntity).delete({ accountId, expiresAt: LessThan(before) });
};

export const deleteTokens = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.getRepository(mailedTokenEntity).delete({ accountId });
};

/** Whether an open token that was issued after `since` has one of these hashes of a code. */
export const hasCode = (
  tx: Tx,
  { hashes, ...ofAccount }: OfAccount & { hashes: string[] },
  { now, since }: { now: Date; since: Date },
): Promise<boolean> =>
  tx.getRepository(mailedTokenEntity).existsBy({
    ...ofAccount,
    codeHash: In(hashes),
    usedAt: IsNull(),
    createdAt: MoreThan(since),
    expiresAt: MoreThan(now),
  });
