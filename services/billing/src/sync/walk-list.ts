import { isMissing, stripeErrorOf } from '../stripe/errors.ts';
import type { Page } from '../stripe/lists.ts';
import type { CursorRow } from './cursor.entity.ts';
import { findCursor, setCursor } from './queries.ts';
import type { Run } from './repair-subscriber.ts';

type Walk<T> = {
  list: CursorRow['list'];
  /** A run reads this many pages of a hundred objects; the next run continues at the cursor. */
  pages: number;
  read: (cursor: string | null) => Promise<Page<T>>;
  compare: (data: T[]) => Promise<void>;
};

/** The page after the cursor; the first page when the object that the cursor names no longer exists. */
const readFrom = async <T>(read: Walk<T>['read'], cursor: string | null): Promise<Page<T>> => {
  try {
    return await read(cursor);
  } catch (error) {
    if (cursor === null || !isMissing(stripeErrorOf(error))) throw error;
    return read(null);
  }
};

/** Compares some pages of one of Stripe's lists with what is stored, beginning where the last run stopped. */
export const walkList = async <T>({ db }: Run, { list, pages, read, compare }: Walk<T>): Promise<void> => {
  let cursor = await findCursor(db.manager, list);
  for (let page = 0; page < pages; page += 1) {
    const { data, next } = await readFrom(read, cursor);
    await compare(data);
    cursor = next;
    await setCursor(db.manager, { list, position: cursor });
    if (cursor === null) return;
  }
};
