import type { StripeGateway } from '../stripe/gateway.ts';
import type { ListedEvent } from '../stripe/lists.ts';

/** Stripe refuses to list more types than this at once. */
const MAX_TYPES = 20;

const inLists = (types: readonly string[]): string[][] =>
  types.length === 0 ? [] : [types.slice(0, MAX_TYPES), ...inLists(types.slice(MAX_TYPES))];

type Filter = { types: readonly string[]; since: Date };

/** Yields Stripe's events of these types, page by page; each list of types is newest first. */
export async function* listEvents(
  stripe: Pick<StripeGateway, 'listEvents'>,
  { types, since }: Filter,
): AsyncGenerator<ListedEvent[]> {
  for (const list of inLists(types)) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<StripeGateway['listEvents']>> = await stripe.listEvents({
        types: list,
        since,
        cursor,
      });
      yield page.data;
      cursor = page.next;
    } while (cursor !== null);
  }
}
