// The audit log of a service is a chain: each sealed entry has a number without gaps, and a hash of its content with the hash of the entry
// before. What identifies an entry is never changed. Its details are redacted when their user is deleted (decision 9), so they have a hash
// of their own, with a salt that goes with them: without it, a short text could be guessed from the hash that stays (decision 9).
import { hash } from 'node:crypto';
import { minutes } from '@shortlist/contracts/durations';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { type ChainRow, findHead, insertLinks, listUnsealed, type UnsealedEntry } from './queries.ts';

/** What identifies an entry. */
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

/** `previous` is the hash of the entry before, empty for the first. */
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
    return false; // what the product stores is JSON
  }
};

/** Whether details may differ from their hash: without their salt, and with no text but that of the redaction. */
export const isRedacted = ({ salt, before, after }: Details): boolean =>
  salt === null && [before, after].every(isRedactedState);

const EVERY_MS = minutes(1);
const CHUNK = 500;
/**
 * Positions are given in the order of insertion, and a transaction may commit after later ones. No two that are open at the same time
 * are this far apart.
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
 * Adds the entries that are not sealed yet to the chain, in the order of their insertion. It is no part of the transactions that record
 * changes, so these never wait for each other. Of two processes that seal at the same moment, the unique number lets one win; the other
 * finds nothing left to do. Returns the end of the chain.
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

/** Seals now and every minute. The end of the chain is logged when it moves: logs leave this machine, and cannot be changed with the table. */
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
