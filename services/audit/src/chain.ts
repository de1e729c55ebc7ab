// The audit log of a service is a chain: each sealed entry has a number without gaps, and a hash of its content with the hash of the entry
// before. What identifies an entry is never changed. Its details are redacted when their user is deleted (decision 11), so they have a hash
// of their own, with a salt that goes with them: without it, a short text could be guessed from the hash that stays (decision 11).
import { hash } from 'node:crypto';

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
