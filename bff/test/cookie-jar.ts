import type { RawResponse } from './support.ts';

/** The cookies of a browser, by name. */
export type Jar = Map<string, string>;

export const cookieOf = (jar: Jar): string => [...jar].map((pair) => pair.join('=')).join('; ');

/** Stores and removes cookies as a response says. */
export const store = (jar: Jar, { headers }: Pick<RawResponse, 'headers'>): void => {
  for (const line of headers['set-cookie'] ?? []) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
    if (line.includes('Max-Age=0')) jar.delete(name);
    else jar.set(name, value);
  }
};

/** The headers of a request from one of our pages. */
export const fromPage = (jar: Jar, more: Record<string, string> = {}): Record<string, string> => ({
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  ...(jar.size === 0 ? {} : { cookie: cookieOf(jar), 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '' }),
  ...more,
});

/** The session token in the response to a log-in of a user or an admin. */
export const tokenIn = ({ json }: RawResponse): string => {
  const { data, credentials } = json as Record<'data' | 'credentials', { token: string } | undefined>;
  return data?.token ?? credentials?.token ?? '';
};
