// Secrets that are sent by mail. Only their hashes are stored, so that a copy of the database opens no account; those of codes, which have
// too few digits for that, are made with a key that is not in the database. Several open tokens
// of one purpose exist side by side, because a mail can be sent twice; the use of one ends all of them. Tokens with different references are independent of each other.
import { hash, randomBytes, randomInt } from 'node:crypto';
import type { TokenPurpose } from '@shortlist/contracts/api/identity';
import { minutes } from '@shortlist/contracts/durations';
import { MAILED_CODE_MINUTES } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import {
  changePurpose,
  deleteExpiredTokens,
  findOpenToken,
  hasCode,
  insertToken,
  type MailedTokenRow,
  markAllUsed,
  markUsed,
} from './token-queries.ts';

const CODE_DIGITS = 6;

const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

type NewToken = {
  accountId: string;
  purpose: TokenPurpose;
  reference?: string | null;
  lifetimeMs: number;
  /** Hashes a code of six digits that is issued too; null for none. */
  codeKeys: CodeKeys | null;
  now: Date;
};

/** The hashes of a code by the keys that exist, that of new codes first. */
export type CodeKeys = { hashesOf: (scope: string, code: string) => string[] };

/** A code of one purpose is none of another. */
const hashesOfCode = (
  keys: CodeKeys,
  { accountId, purpose, code }: Pick<MailedTokenRow, 'accountId' | 'purpose'> & { code: string },
): string[] => keys.hashesOf(`${accountId} ${purpose}`, code);

/** Issues a token of 256 random bits. The account's expired tokens are removed. */
export const issueToken = async (
  tx: Tx,
  { accountId, purpose, reference = null, lifetimeMs, codeKeys, now }: NewToken,
): Promise<{ token: string; code: string | null }> => {
  const token = randomBytes(32).toString('base64url');
  const code = codeKeys === null ? null : String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const [codeHash = null] =
    codeKeys === null || code === null ? [] : hashesOfCode(codeKeys, { accountId, purpose, code });
  await deleteExpiredTokens(tx, accountId, now);
  await insertToken(tx, {
    tokenHash: hashOf(token),
    purpose,
    accountId,
    reference,
    codeHash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
    usedAt: null,
  });
  return { token, code };
};

/** The row of an open token. Throws `identity.link_ended` for one that is unknown, used or expired. */
export const getToken = async (
  tx: Tx,
  { token, purpose }: { token: string; purpose: TokenPurpose },
  now: Date,
): Promise<MailedTokenRow> => {
  const row = await findOpenToken(tx, { tokenHash: hashOf(token), purpose }, now);
  if (row === null) throw createError('identity.link_ended');
  return row;
};

/** Uses a token, which ends all of this purpose and reference. Throws `identity.link_ended`, also for the second of two uses at the same moment. */
export const useToken = async (
  tx: Tx,
  use: { token: string; purpose: TokenPurpose },
  now: Date,
): Promise<MailedTokenRow> => {
  const row = await getToken(tx, use, now);
  if (!(await markUsed(tx, row.tokenHash, now))) throw createError('identity.link_ended');
  await markAllUsed(tx, row, now);
  return row;
};

/** Ends the open tokens of an account with this purpose. */
export const endTokens = (
  tx: Tx,
  { accountId, purpose }: { accountId: string; purpose: TokenPurpose },
  now: Date,
): Promise<void> => markAllUsed(tx, { accountId, purpose }, now);

/** Lets the same token be used once more, for another purpose, so that the response to its use needs no secret. */
export const reuseToken = (
  tx: Tx,
  { token, purpose, lifetimeMs }: { token: string; purpose: TokenPurpose; lifetimeMs: number },
  now: Date,
): Promise<void> =>
  changePurpose(tx, { tokenHash: hashOf(token), purpose }, new Date(now.getTime() + lifetimeMs));

export type CodeUse = { accountId: string; purpose: TokenPurpose; code: string };

/** Returns whether this is the code of an open token of the account, issued in the last MAILED_CODE_MINUTES. */
export const matchCode = (
  tx: Tx,
  { accountId, purpose, code }: CodeUse,
  { now, keys }: { now: Date; keys: CodeKeys },
): Promise<boolean> => {
  const hashes = hashesOfCode(keys, { accountId, purpose, code });
  const since = new Date(now.getTime() - minutes(MAILED_CODE_MINUTES));
  return hasCode(tx, { accountId, purpose, hashes }, { now, since });
};
