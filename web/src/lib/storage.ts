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

export const writeItem = (key: string, value: string): void =>
  attempt(() => localStorage.setItem(key, value), undefined);
export const readItem = (key: string): string | null => attempt(() => localStorage.getItem(key), null);
export const removeItem = (key: string): void => attempt(() => localStorage.removeItem(key), undefined);

/** For this tab, until it is closed. */
export const writeTabItem = (key: string, value: string): void =>
  attempt(() => sessionStorage.setItem(key, value), undefined);
export const readTabItem = (key: string): string | null => attempt(() => sessionStorage.getItem(key), null);
export const removeTabItem = (key: string): void => attempt(() => sessionStorage.removeItem(key), undefined);
export const tabKeys = (): string[] => attempt(() => Object.keys(sessionStorage), []);
