import type { ServiceEndpoint } from '@shortlist/contracts/api/service-endpoint';
import type { Router } from './router.ts';

type Row = Record<string, unknown>;
/** `next` continues the list; null at its end. */
type Page = { data: Row[]; next: string | null };
type Request = { userId: string; section: string; cursor?: string };

/** Rows of one page. */
const PAGE = 500;

/** Reads one page of a section, after the page that ended at `cursor`. */
export type ReadSection = (request: { userId: string; cursor: string | null }) => Promise<Page>;

/** Registers an endpoint that returns lists of different rows, named by the input's `section`, page by page, to other services. */
export const addSectionEndpoint = (
  router: Router,
  endpoint: ServiceEndpoint<Request, Page>,
  sections: Readonly<Record<string, ReadSection>>,
): void => {
  router.add(
    endpoint,
    async ({ input: { userId, section, cursor = null } }) =>
      (await sections[section]?.({ userId, cursor })) ?? { data: [], next: null },
  );
};

/** A section whose rows are few enough for one page. */
export const wholeSection =
  (read: (userId: string) => Promise<Row[]>): ReadSection =>
  async ({ userId }) => ({ data: await read(userId), next: null });

/** A section that is read in pages, each after the id at which the page before ended. */
export const pagedSection =
  <Item extends Row & { id: string }>(
    read: (userId: string, after: string | null, limit: number) => Promise<Item[]>,
  ): ReadSection =>
  async ({ userId, cursor }) => {
    const data = await read(userId, cursor, PAGE);
    return { data, next: data.length < PAGE ? null : (data.at(-1)?.id ?? null) };
  };
