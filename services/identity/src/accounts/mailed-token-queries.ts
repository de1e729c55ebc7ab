// Secrets that are sent by email. Only hashes are stored, so that a copy of the database opens no account. Codes are too short for that, so
// their hashes use a key that is not in the database. Several tokens of one purpose can be open at the same time, because an email can be sent
// twice; using one ends all of them. Tokens with different references are independent.
import { hash, randomBytes, randomInt } from 'node:crypto';
import type { TokenPurpose } from '@shortlist/contracts/api/identity';
import { minutes } from '@shortlist/contracts/durations';
import { MAILED_CODE_MINUTES, MAILED_CODE_TRIES } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { createError } from '@shortlist/kit/process/errors';
import { In, IsNull, LessThan, MoreThan } from 'typeorm';
import { countCodeTry } from './queries.ts';

export const mailedTokenEntity = defineEntity('mailed_token', 'mailed_tokens', {
  tokenHash: { ...column.char(43), primary: true },
  purpose: column.varchar<TokenPurpose>(20),
  accountId: column.uuid,
  /** What the token is for, such as one change of an email. */
  reference: column.nullable(column.uuid),
  codeHash: column.nullable(column.char(43)),
  /** Written by the previous release, which may still run during an update. */
  attempts: { ...column.int, default: 0 },
  createdAt: column.dateTime,
  expiresAt: column.dateTime,
  usedAt: column.nullable(column.dateTime),
});
type MailedTokenRow = RowOf<typeof mailedTokenEntity>;

type OfAccount = Pick<MailedTokenRow, 'accountId' | 'purpose'>;
type Use = { token: string; purpose: TokenPurpose };

const CODE_DIGITS = 6;

const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** The hashes of a code under each key, starting with the key for new codes. */
export type CodeKeys = { hashesOf: (scope: string, code: string) => string[] };

/** Includes the purpose, so that a code works for one purpose only. */
const hashesOfCode = (keys: CodeKeys, { accountId, purpose, code }: OfAccount & { code: string }): string[] =>
  keys.hashesOf(`${accountId} ${purpose}`, code);

type NewToken = OfAccount & {
  reference: string | null;
  lifetimeMs: number;
  /** Set if a code of six digits is issued too. */
  codeKeys: CodeKeys | null;
  now: Date;
};

/** Issues a token of 256 random bits, and removes the account's expired tokens. */
export const issueToken = async (
  tx: Tx,
  { accountId, purpose, reference, lifetimeMs, codeKeys, now }: NewToken,
): Promise<{ token: string; code: string | null }> => {
  const token = randomBytes(32).toString('base64url');
  const code = codeKeys === null ? null : String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const [codeHash = null] =
    codeKeys === null || code === null ? [] : hashesOfCode(codeKeys, { accountId, purpose, code });
  await tx.getRepository(mailedTokenEntity).delete({ accountId, expiresAt: LessThan(now) });
  const row = {
    tokenHash: hashOf(token),
    purpose,
    accountId,
    reference,
    codeHash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
    usedAt: null,
  };
  await insertRows(tx, mailedTokenEntity, row);
  return { token, code };
};

/** The row of an open token. Throws `identity.link_ended` if the token is unknown, used or expired. */
export const getToken = async (tx: Tx, { token, purpose }: Use, now: Date): Promise<MailedTokenRow> => {
  const row = await tx
    .getRepository(mailedTokenEntity)
    .findOneBy({ tokenHash: hashOf(token), purpose, usedAt: IsNull(), expiresAt: MoreThan(now) });
  if (row === null) throw createError('identity.link_ended');
  return row;
};

/** Ends every open token of an account with this purpose, and with this reference if one is given. */
export const endTokens = async (
  tx: Tx,
  { accountId, purpose, reference }: OfAccount & { reference?: string | null },
  now: Date,
): Promise<void> => {
  const isAbout = reference === undefined ? {} : { reference: reference ?? IsNull() };
  await tx
    .getRepository(mailedTokenEntity)
    .update({ accountId, purpose, ...isAbout, usedAt: IsNull() }, { usedAt: now });
};

/** Uses a token, which ends all of this purpose and reference. Throws `identity.link_ended`, also for the second of two concurrent uses. */
export const useToken = async (tx: Tx, use: Use, now: Date): Promise<MailedTokenRow> => {
  const row = await getToken(tx, use, now);
  const { affected } = await tx
    .getRepository(mailedTokenEntity)
    .update({ tokenHash: row.tokenHash, usedAt: IsNull(), expiresAt: MoreThan(now) }, { usedAt: now });
  if (affected !== 1) throw createError('identity.link_ended');
  await endTokens(tx, row, now);
  return row;
};

type CodeUse = OfAccount & { code: string };

/** Returns whether this is the code of an open token of the account, issued in the last MAILED_CODE_MINUTES. */
const matchCode = (
  tx: Tx,
  { accountId, purpose, code }: CodeUse,
  { now, keys }: { now: Date; keys: CodeKeys },
): Promise<boolean> => {
  const since = new Date(now.getTime() - minutes(MAILED_CODE_MINUTES));
  return tx.getRepository(mailedTokenEntity).existsBy({
    accountId,
    purpose,
    codeHash: In(hashesOfCode(keys, { accountId, purpose, code })),
    usedAt: IsNull(),
    createdAt: MoreThan(since),
    expiresAt: MoreThan(now),
  });
};

/**
 * Returns whether this is a code from an email to the account. Tries are counted per account, across all emails and before the comparison;
 * after MAILED_CODE_TRIES in a day no code is accepted, but the links still work.
 */
export const isRightCode = async (
  tx: Tx,
  use: CodeUse,
  context: { now: Date; keys: CodeKeys },
): Promise<boolean> =>
  (await countCodeTry(tx, use.accountId, context.now)) <= MAILED_CODE_TRIES && matchCode(tx, use, context);
