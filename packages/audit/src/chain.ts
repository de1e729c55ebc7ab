// The audit log of a service is a chain: sealed entries are numbered without gaps, and each has a hash of its content and of the previous
// entry's hash. The fields that identify an entry never change. Its details are redacted when their user is deleted (decision 9), so they
// have their own hash, with a salt that is deleted with them: otherwise a short text could be guessed from the hash that remains.
import { hash } from 'node:crypto';
import { minutes } from '@shortlist/contracts/durations';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { type ChainRow, findHead, insertLinks, listUnsealed, type UnsealedEntry } from './queries.ts';

/** The fields that identify an entry. */
export type EntryRecord = { id: string; at: Date; actorId: string; action: string; targetId: string };
export type Details = {
  salt: string | null;
  address: string;
  before: string | null;
  after: string | null;
};
export type Link = { sequence: number; recordHash: string; detailsHash: string };

const hashOf = (values: readonly unknown[]): string => hash('sha256', JSON.stringify(values), 'hex');

export const recordHashOf = ({ id, at, actorId, action, targetId }: EntryRecord): string =>
  hashOf([id, at.toISOString(), actorId, action, targetId]);

export const detailsHashOf = ({ salt, address, before, after }: Details): string =>
  hashOf([salt, address, before, after]);

/** `previous` is the hash of the previous entry, empty for the first. */
export const linkHashOf = (previous: string, { sequence, recordHash, detailsHash }: Link): string =>
  hashOf([previous, sequence, recordHash, detailsHash]);

export const REDACTED = '(redacted)';

const isRedactedValue = (value: unknown): boolean => {
  if (typeof value === 'string') return value === REDACTED;
  return typeof value !== 'object' || value === null || Object.values(value).every(isRedactedValue);
};

const isRedactedState = (state: string | null): boolean => {
  if (state === null) return true;
  try {
    return isRedactedValue(JSON.parse(state));
  } catch {
    return false; // the product stores JSON only
  }
};

/** Whether details may differ from their hash: they have no salt, and all their text is redacted. */
export const isRedacted = ({ salt, before, after }: Details): boolean =>
  salt === null && [before, after].every(isRedactedState);

const EVERY_MS = minutes(1);
const CHUNK = 500;
/**
 * Positions follow the order of insertion, and a transaction may commit after later ones. No two transactions that are open at the same
 * time are this far apart.
 */
const LATEST_COMMITS = 10_000;

type Head = { sequence: number; hash: string };
type NewLink = Omit<ChainRow, 'sealedAt'>;

const linkOf = (head: Head, entry: UnsealedEntry): NewLink => {
  const link = {
    sequence: head.sequence + 1,
    recordHash: recordHashOf(entry),
    detailsHash: detailsHashOf(entry),
  };
  return { ...link, entryId: entry.id, hash: linkHashOf(head.hash, link) };
};

const sealChunk = async (tx: Tx): Promise<{ count: number; head: Head }> => {
  const head = (await findHead(tx)) ?? { sequence: 0, hash: '', position: 0 };
  const entries = await listUnsealed(tx, Math.max(0, (head.position ?? 0) - LATEST_COMMITS), CHUNK);
  const links: NewLink[] = [];
  for (const entry of entries) links.push(linkOf(links.at(-1) ?? head, entry));
  if (links.length > 0) await insertLinks(tx, links);
  return { count: links.length, head: links.at(-1) ?? head };
};

/**
 * Adds unsealed entries to the chain in the order of their insertion. It runs outside the transactions that record changes, so that these never
 * wait for each other. When two processes seal at the same time, the unique number lets only one succeed. Returns the end of the chain.
 */
export const sealEntries = async (db: Db): Promise<Head> => {
  for (;;) {
    try {
      const { count, head } = await inTransaction(db, sealChunk);
      if (count < CHUNK) return head;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
};

/** Seals now and every minute. Logs the end of the chain when it moves: logs leave this machine, so that changing the table cannot change them. */
export const startSealing = ({ db, log }: { db: Db; log: Log }): Repetition => {
  let logged = 0;
  const seal = async (): Promise<void> => {
    const { sequence, hash } = await sealEntries(db);
    if (sequence > logged) log.info({ sequence, hash }, 'audit log sealed');
    logged = sequence;
  };
  return repeat(async () => {
    await seal().catch((error: unknown) =>
      log.warn({ err: error }, 'audit log not sealed, next try in a minute'),
    );
    return EVERY_MS;
  });
};
