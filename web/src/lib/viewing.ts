// A tab in which an admin views the product as a user. Its session is in the storage of the tab, so that the sessions of the other
// tabs stay as they are.
import {
  readTabItem,
  removeTabItem,
  tabKeys,
  USER_TOKEN,
  VIEWED_NAME,
  VIEWED_USER,
  VIEWING_ENDS,
  writeTabItem,
} from './storage.ts';

/** Makes this tab one for viewing the user, from its next load on. */
export const beginViewing = (
  { id, name }: { id: string; name: string },
  { token, endsAt }: { token: string; endsAt: number },
): void => {
  writeTabItem(USER_TOKEN, token);
  writeTabItem(VIEWED_USER, id);
  writeTabItem(VIEWED_NAME, name);
  writeTabItem(VIEWING_ENDS, String(endsAt));
};

/** When the viewing of this tab ends, in ms since the epoch; null in any other tab. */
export const viewingEnd = (): number | null => {
  const end = readTabItem(VIEWING_ENDS);
  return end === null ? null : Number(end);
};

/** The name of the user whom this tab shows. It is known before the server has responded, so that the bar with it moves nothing. */
export const viewedName = (): string => readTabItem(VIEWED_NAME) ?? '';

/** Makes this tab like any other. Returns the user whom it showed. */
export const endViewing = (): string | null => {
  const userId = readTabItem(VIEWED_USER);
  for (const key of tabKeys()) removeTabItem(key);
  return userId;
};
