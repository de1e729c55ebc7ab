import { cursorOf } from '../data/newest-first.ts';

/** All entries of a list that is read in pages, each after the last entry of the one before; `read` returns a page. */
export const readPages = async <Entry extends { id: string; at: string }>(
  read: (page: { before?: string }) => Promise<readonly Entry[]>,
): Promise<Entry[]> => {
  const all: Entry[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await read(last === undefined ? {} : { before: cursorOf(last) });
    if (page.length === 0) return all;
    all.push(...page);
  }
};
