import type { Provider } from './sources.ts';

/** The version of the API whose fields provider-fields.ts reads; an account's default may be another. */
const API_VERSION = '2026-10-28.endive';

type Page<T> = { data: T[]; has_more: boolean };

/** Returns all objects of one of the provider's lists, page by page. */
export const listAll = async <T extends { id: string }>(
  { url, key }: Provider,
  path: string,
): Promise<T[]> => {
  const found: T[] = [];
  for (let after = ''; ; after = `&starting_after=${found.at(-1)?.id ?? ''}`) {
    const response = await fetch(`${url}/v1/${path}${path.includes('?') ? '&' : '?'}limit=100${after}`, {
      headers: { authorization: `Bearer ${key}`, 'stripe-version': API_VERSION },
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`the provider responded ${response.status} to a list of ${path}`);
    const page = (await response.json()) as Page<T>;
    found.push(...page.data);
    if (!page.has_more) return found;
  }
};
