import { randomBytes } from 'node:crypto';
import { hours } from '@shortlist/contracts/durations';
import { WEBHOOK_ROTATION_HOURS } from '@shortlist/contracts/limits';
import type { FactorKeys } from '../factors/factor-keys.ts';
import type { WebhookRow } from './queries.ts';

type Secrets = Pick<WebhookRow, 'secret' | 'keyId' | 'previousSecret' | 'previousKeyId' | 'previousUntil'>;

/** Standard Webhooks requires 24 to 64 random bytes. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** The owner for which a secret is encrypted: it does not decrypt in another webhook's row, or as a factor's secret. */
const ownerOf = (id: string): string => `webhook ${id}`;

const newSecret = (keys: FactorKeys, id: string) => {
  const bytes = randomBytes(SECRET_BYTES);
  const { secret, keyId } = keys.seal(ownerOf(id), bytes);
  return { shown: `${PREFIX}${bytes.toString('base64')}`, columns: { secret, keyId } };
};

/** The secret of a new webhook, as its user sees it once and as it is stored. */
export const firstSecret = (keys: FactorKeys, id: string): { shown: string; columns: Secrets } => {
  const { shown, columns } = newSecret(keys, id);
  return { shown, columns: { ...columns, previousSecret: null, previousKeyId: null, previousUntil: null } };
};

/** A new secret. The current one keeps signing for a while; an older one stops at once. */
export const nextSecret = (
  keys: FactorKeys,
  { id, secret: previousSecret, keyId: previousKeyId }: WebhookRow,
  now: Date,
): { shown: string; columns: Secrets } => {
  const { shown, columns } = newSecret(keys, id);
  const previousUntil = new Date(now.getTime() + hours(WEBHOOK_ROTATION_HOURS));
  return { shown, columns: { ...columns, previousSecret, previousKeyId, previousUntil } };
};

/** The secrets that sign at `now`, the current one first, in plain form. */
export const signingSecrets = (keys: FactorKeys, row: WebhookRow, now: Date): string[] => {
  const open = (secret: string, keyId: string): string =>
    PREFIX + Buffer.from(keys.open(ownerOf(row.id), { secret, keyId })).toString('base64');
  const { secret, keyId, previousSecret, previousKeyId, previousUntil } = row;
  const current = open(secret, keyId);
  if (previousSecret === null || previousKeyId === null || previousUntil === null) return [current];
  return previousUntil > now ? [current, open(previousSecret, previousKeyId)] : [current];
};

/** The secrets, encrypted with the first key. A previous one that signs no more is dropped. */
export const resealedSecrets = (keys: FactorKeys, row: WebhookRow, now: Date): Partial<Secrets> => {
  const { id, secret, keyId, previousSecret, previousKeyId, previousUntil } = row;
  const current = keys.reseal(ownerOf(id), { secret, keyId });
  if (previousSecret === null || previousKeyId === null) return current;
  if (previousUntil === null || previousUntil <= now)
    return { ...current, previousSecret: null, previousKeyId: null, previousUntil: null };
  const previous = keys.reseal(ownerOf(id), { secret: previousSecret, keyId: previousKeyId });
  return { ...current, previousSecret: previous.secret, previousKeyId: previous.keyId };
};
