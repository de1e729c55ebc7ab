import type { Sources } from './sources.ts';

type Page<T> = { data: T[]; has_more: boolean };

/** Returns all objects of one of the provider's lists, page by page. */
export const listAll = async <T extends { id: string }>(
  { sandboxUrl, stripeKey }: Sources,
  path: string,
): Promise<T[]> => {
  const found: T[] = [];
  for (let after = ''; ; after = `&starting_after=${found.at(-1)?.id ?? ''}`) {
    const response = await fetch(
      `${sandboxUrl}/v1/${path}${path.includes('?') ? '&' : '?'}limit=100${after}`,
      {
        headers: { authorization: `Bearer ${stripeKey}` },
        signal: AbortSignal.timeout(10_000),
      },
    );
    const page = (await response.json()) as Page<T>;
    found.push(...page.data);
    if (!page.has_more) return found;
  }
};
