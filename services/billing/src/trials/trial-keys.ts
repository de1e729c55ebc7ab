import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { asciiEmail } from '@shortlist/contracts/unicode';

/** What a user may begin one trial with. */
export const TRIAL_KINDS = ['user', 'email', 'card'] as const;
export type TrialKind = (typeof TRIAL_KINDS)[number];

export type TrialHash = { kind: TrialKind; hash: string; keyId: string };

/** The keys of TRIAL_KEY. */
export type TrialKeys = {
  ids: string[];
  /** The hashes of a value under each key. */
  hashesOf: (kind: TrialKind, value: string) => TrialHash[];
};

const createKey = (key: string) => ({
  keyId: createHash('sha256').update(`id ${key}`).digest('hex').slice(0, 16),
  secret: Buffer.from(hkdfSync('sha256', key, '', 'trials', 32)),
});

/** A mailbox has any number of addresses with a tag, such as ada+1@example.com. */
const withoutTag = (email: string): string => asciiEmail(email).replace(/\+[^@]*(?=@)/, '');

/**
 * Under every key, not only the first: while a key is being added, processes that do not know it yet and those that do still find each other's
 * hashes.
 */
export const createTrialKeys = (secrets: readonly string[]): TrialKeys => {
  const keys = secrets.map(createKey);
  return {
    ids: keys.map(({ keyId }) => keyId),
    hashesOf: (kind, value) => {
      const text = `${kind} ${kind === 'email' ? withoutTag(value) : value}`;
      return keys.map(({ keyId, secret }) => ({
        kind,
        keyId,
        hash: createHmac('sha256', secret).update(text).digest('base64url'),
      }));
    },
  };
};
