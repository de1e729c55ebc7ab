/** Browser storage may be full, forbidden or absent. Then writing has no effect and reading returns null. */
const attempt = <T>(read: () => T, fallback: T): T => {
  try {
    return read();
  } catch {
    return fallback;
  }
};

export const USER_TOKEN = 'endUserToken';
export const ADMIN_TOKEN = 'token';
/** Set when the log-in whose token is stored under `tokenKey` has been welcomed. */
export const welcomedKey = (tokenKey: string): string => `welcomed:${tokenKey}`;

/** Set in a tab in which an admin views the product as a user. */
export const VIEWING_ENDS = 'viewingEnds';
/** The id and the name of that user. */
export const VIEWED_USER = 'viewedUser';
export const VIEWED_NAME = 'viewedName';
/** How the product looks is the same in every tab. */
export const LAYOUT_SETTINGS = 'layoutSettings';

/** The columns of the list of users that an admin has added to it. */
export const USER_COLUMNS = 'userColumns';

/** The notices to the user that the last page had. */
export const CURRENT_NOTICES = 'currentNotices';
/** The ids of the notices that the user has dismissed. */
export const DISMISSED_NOTICES = 'dismissedNotices';

/** A tab for viewing keeps what it stores to itself. */
const storeOf = (key: string): Storage =>
  key !== LAYOUT_SETTINGS && sessionStorage.getItem(VIEWING_ENDS) !== null ? sessionStorage : localStorage;

export const writeItem = (key: string, value: string): void =>
  attempt(() => storeOf(key).setItem(key, value), undefined);
export const readItem = (key: string): string | null => attempt(() => storeOf(key).getItem(key), null);
export const removeItem = (key: string): void => attempt(() => storeOf(key).removeItem(key), undefined);
/** Whether a change that another tab has made concerns this one. */
export const isShared = (key: string): boolean => attempt(() => storeOf(key) === localStorage, true);

/** For this tab, until it is closed. */
export const writeTabItem = (key: string, value: string): void =>
  attempt(() => sessionStorage.setItem(key, value), undefined);
export const readTabItem = (key: string): string | null => attempt(() => sessionStorage.getItem(key), null);
export const removeTabItem = (key: string): void => attempt(() => sessionStorage.removeItem(key), undefined);
export const tabKeys = (): string[] => attempt(() => Object.keys(sessionStorage), []);
