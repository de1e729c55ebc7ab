// A user sees the keys that work, and those that have expired, which are still there to be deleted. A revoked key has no use any more: only
// the history of credits names it. An app is listed while it is connected. What a key or an app may do is said in one sentence.
import {
  type ApiKey,
  type Connection,
  type Scope,
  SCOPES,
  type ToolDevice,
} from '@shortlist/contracts/api/connected-apps';
import type { FieldMessages } from '@shortlist/contracts/errors';
import { LOCALE } from '@shortlist/contracts/messages';
import { connectionsText, scopeText } from '../../messages/connections.ts';

export const hasExpired = ({ expiresAt }: ApiKey, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;

/** The keys of the list, in the order in which they came. */
export const listedKeys = (keys: readonly ApiKey[]): ApiKey[] =>
  keys.filter(({ revokedAt }) => revokedAt === null);

/** What a key or an app may do, as a sentence: Reads credits and usage and uses credits. */
export const phraseOf = (scopes: readonly Scope[]): string => {
  const phrases = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => scopeText(`${scope} does`));
  const text = new Intl.ListFormat(LOCALE, { type: 'unit' }).format(phrases);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The form of a new key. `scopes`: separated by spaces. `expires`: days, or NEVER. */
export type KeyValues = { name: string; expires: string; scopes: string };

export const NEVER = 'never';
export const EXPIRIES = ['30', '90', '365', NEVER] as const;
export const NEW_KEY: KeyValues = { name: '', expires: '90', scopes: 'credits:read' };

export const scopesIn = (text: string): Scope[] => SCOPES.filter((scope) => text.split(' ').includes(scope));

export const expiryDays = (expires: string): number | null => (expires === NEVER ? null : Number(expires));

/** What is wrong with a new key, before a proof of identity is required for it. The server checks the rest. */
export const keyRules = ({ name, scopes }: KeyValues): FieldMessages => ({
  ...(name.trim() === '' ? { name: connectionsText('nameMissing') } : {}),
  ...(scopesIn(scopes).length === 0 ? { scopes: connectionsText('scopeMissing') } : {}),
});

/** The apps that are connected: neither ended, nor too long without use. */
export const connectedTools = (connections: readonly Connection[], now: number): Connection[] =>
  connections.filter(({ endedAt, expiresAt }) => endedAt === null && Date.parse(expiresAt) > now);

/** Where an app runs: what it calls its device, or what its request said; '' where neither is known. */
export const placeOfTool = ({ device, browser, system }: ToolDevice): string => {
  if (device !== '') return device;
  if (browser !== '' && system !== '') return connectionsText('inBrowser', { browser, system });
  return browser || system;
};

/** A code as it is typed: capitals, with a hyphen after four letters. */
export const shownCode = (typed: string): string => {
  const letters = typed
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
};
