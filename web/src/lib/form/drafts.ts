import { removeTabItem, readTabItem, writeTabItem, tabKeys } from '../storage.ts';

type Draft = Record<string, string>;

const PREFIX = 'draft:';

/** The owner id of a draft for a user who does not exist yet. */
export const NEW_USER = 'new-user';

/** The owner id of what a visitor types to sign up. */
export const SIGN_UP = 'sign-up';

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((value) => typeof value === 'string');

/** The draft about `ownerId` in this tab. */
export const loadDraft = (ownerId: string): Draft | null => {
  try {
    const value: unknown = JSON.parse(readTabItem(PREFIX + ownerId) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
};

export const clearDraft = (ownerId: string): void => removeTabItem(PREFIX + ownerId);

/** Stores the changed values of a form, or removes the draft when there are none. */
export const saveDraft = (ownerId: string, changes: Draft): void => {
  if (Object.keys(changes).length === 0) clearDraft(ownerId);
  else writeTabItem(PREFIX + ownerId, JSON.stringify(changes));
};

export const clearDrafts = (): void => {
  for (const key of tabKeys()) if (key.startsWith(PREFIX)) removeTabItem(key);
};

/** The user whose drafts this tab has. */
const OWNER = 'draftsOf';

/** Drops the drafts of another user who was logged in in this tab before. */
export const claimDrafts = (userId: string): void => {
  const owner = readTabItem(OWNER);
  if (owner !== null && owner !== userId) clearDrafts();
  writeTabItem(OWNER, userId);
};
