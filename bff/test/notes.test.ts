import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import type { NoteView } from '@shortlist/contracts/api/notes';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { respondUnless, useBff } from './support.ts';

const bff = await useBff();

const ID = uuidv7();
const [INES, LUKASZ, GONE] = [uuidv7(), uuidv7(), uuidv7()];
const ADMINS = [
  { userId: INES, email: 'ines@shortlist.test', name: 'Inês Carvalho', role: 'support' },
  { userId: LUKASZ, email: 'lukasz@shortlist.test', name: null, role: null },
];
const noteOf = (authorId: string) => ({
  id: uuidv7(),
  authorId,
  text: 'Asked for an invoice',
  createdAt: '2026-11-20T09:41:00.000Z',
});
const read = async (refusals: Record<string, ErrorCode> = {}) => {
  const notes = [INES, LUKASZ, GONE].map(noteOf);
  bff.upstream.respond = respondUnless(
    () => refusals,
    ({ url }) => ({ data: url === '/admins' ? ADMINS : notes }),
  );
  const { status, json } = await bff.call('userNotes', { as: 'admin', userId: INES, id: ID });
  return { status, notes, data: (json as { data?: NoteView[] }).data ?? [] };
};

describe('the notes about a user', () => {
  it('name their authors, and say which are of the caller', async () => {
    const { data, notes } = await read();
    const authors = ['Inês Carvalho', 'lukasz@shortlist.test', ''];
    expect(data).toEqual(
      notes.map(({ authorId, ...note }, index) => ({
        ...note,
        author: authors[index],
        isOwn: authorId === INES,
      })),
    );
  });

  it('are without names while identity does not respond, and fail without profile', async () => {
    const { status, data } = await read({ '/admins': 'service.unavailable' });
    expect([status, data.map(({ author }) => author)]).toEqual([200, ['', '', '']]);
    expect(data[0]?.isOwn).toBe(true);
    expect((await read({ [`/profiles/${ID}/notes`]: 'service.unavailable' })).status).toBe(503);
  });
});
