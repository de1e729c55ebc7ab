import type { Operation } from '@shortlist/contracts/api/endpoint';
import type { Router } from './router.ts';

type Row = Record<string, unknown>;
/** `next` continues the list; null at its end. */
type Page = { data: Row[]; next: string | null };
type Request = { userId: string; section: string; cursor?: string };

/** Rows of one page. */
const PAGE = 500;

/** Reads one page of a section, after the page that ended at `cursor`. */
export type ReadSection = (request: { userId: string; cursor: string | null }) => Promise<Page>;

/** Registers an endpoint that returns one of several lists, named by the input's `section`, page by page to other services. */
export const addSectionEndpoint = (
  router: Router,
  endpoint: Operation<Request, Page>,
  sections: Readonly<Record<string, ReadSection>>,
): void => {
  router.add(
    endpoint,
    async ({ input: { userId, section, cursor = null } }) =>
      (await sections[section]?.({ userId, cursor })) ?? { data: [], next: null },
  );
};

/** A row with only the columns of its section. */
const pick = (columns: readonly string[], row: Row): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

/** A section whose rows fit on one page. */
export const wholeSection =
  <Column extends string>(
    columns: readonly Column[],
    read: (userId: string) => Promise<Record<Column, unknown>[]>,
  ): ReadSection =>
  async ({ userId }) => ({ data: (await read(userId)).map((row) => pick(columns, row)), next: null });

/** A section that is read in pages, each starting after the last id of the previous page. */
export const pagedSection =
  <Column extends string>(
    columns: readonly Column[],
    read: (
      userId: string,
      after: string | null,
      limit: number,
    ) => Promise<(Record<Column, unknown> & { id: string })[]>,
  ): ReadSection =>
  async ({ userId, cursor }) => {
    const rows = await read(userId, cursor, PAGE);
    return {
      data: rows.map((row) => pick(columns, row)),
      next: rows.length < PAGE ? null : (rows.at(-1)?.id ?? null),
    };
  };
