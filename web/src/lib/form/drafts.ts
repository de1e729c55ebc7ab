import { forgetInTab, recallInTab, rememberInTab, tabKeys } from '../storage.ts';

type Draft = Record<string, string>;

const PREFIX = 'draft:';

/** Stands for somebody who has no id yet. */
export const NEW_USER = 'new-user';

const isDraft = (found: unknown): found is Draft =>
  typeof found === 'object' &&
  found !== null &&
  Object.values(found).every((value) => typeof value === 'string');

/** What was typed before about `owner`, in this tab. */
export const recallDraft = (owner: string): Draft | null => {
  try {
    const found: unknown = JSON.parse(recallInTab(PREFIX + owner) ?? 'null');
    return isDraft(found) ? found : null;
  } catch {
    return null;
  }
};

export const forgetDraft = (owner: string): void => forgetInTab(PREFIX + owner);

/** Keeps what differs from what is saved; nothing, when nothing does. */
export const keepDraft = (owner: string, changes: Draft): void => {
  if (Object.keys(changes).length === 0) forgetDraft(owner);
  else rememberInTab(PREFIX + owner, JSON.stringify(changes));
};

export const forgetDrafts = (): void => {
  for (const key of tabKeys()) if (key.startsWith(PREFIX)) forgetInTab(key);
};
