import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { noteEndpoints } from '@shortlist/contracts/api/notes';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { NOTE_MAX, NOTES_MAX } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { inTransaction } from '@shortlist/kit/data/db';
import { createTestDb, untilLockWait } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { eraseUser } from '../src/erase-user.ts';
import { removeNote } from '../src/notes/change-notes.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
let now = new Date('2026-03-01T12:00:00.000Z');
let profile: OpenedService;
beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => now }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const [INES, LUKASZ] = [newId(), newId()];
const as = (userId: string) => ({ caller: { role: 'admin', userId, address: '192.0.2.7' } }) as const;

const createUser = async (): Promise<string> => {
  const id = newId();
  const created = { id, email: `${id}@talent.test`, ...profileFields, picture: null };
  const createdAt = now.toISOString();
  await profile.ask(profileEndpoints.createProfile, { ...created, createdAt }, as(INES));
  return id;
};
const erase = (id: string) => profile.ask(profileEndpoints.eraseUser, { id }, as(INES));

type Adding = { noteId?: string; text?: string; by?: string };
const add = (userId: string, { noteId = newId(), text = 'Asked for an invoice', by = INES }: Adding = {}) =>
  profile.ask(noteEndpoints.addNote, { userId, noteId, text }, as(by));
const remove = (userId: string, noteId: string, by = INES) =>
  profile.ask(noteEndpoints.removeNote, { userId, noteId }, as(by));
const notesOf = async (userId: string) =>
  (await profile.ask(noteEndpoints.listNotes, { userId }, as(LUKASZ))).data;
const textsOf = async (userId: string) => (await notesOf(userId)).map(({ text }) => text);
const audited = async (targetId: string) =>
  (await profile.ask(auditEndpoint, { targetId }, as(INES))).data.map(
    ({ action, actorId, before, after }) => ({
      action,
      actorId,
      before,
      after,
    }),
  );
const rowsOf = (userId: string): Promise<unknown[]> =>
  db.query('SELECT 1 FROM user_notes WHERE user_id = ?', [userId]);
const codeOf = (error: { code?: string }): string | undefined => error.code;

/** Fills the notes about a user up to this number. */
const fill = (userId: string, count: number): Promise<unknown> =>
  db.query('INSERT INTO user_notes (id, user_id, author_id, text, created_at) VALUES ?', [
    Array.from({ length: count }, () => [newId(), userId, LUKASZ, 'Called', now]),
  ]);

describe('a note about a user', () => {
  it('is listed with its author, the newest first, and recorded', async () => {
    const userId = await createUser();
    const [first, second] = [newId(), newId()];
    await add(userId, { noteId: second, text: '  Called.\r\n\r\nWants a refund  ' });
    now = new Date(now.getTime() + 1);
    await add(userId, { noteId: first, text: 'Refunded', by: LUKASZ });
    expect(await notesOf(userId)).toEqual([
      { id: first, authorId: LUKASZ, text: 'Refunded', createdAt: now.toISOString() },
      { id: second, authorId: INES, text: 'Called.\n\nWants a refund', createdAt: expect.any(String) },
    ]);
    expect(await audited(userId)).toEqual([
      { action: 'note.add', actorId: LUKASZ, before: null, after: { id: first, text: 'Refunded' } },
      {
        action: 'note.add',
        actorId: INES,
        before: null,
        after: { id: second, text: 'Called.\n\nWants a refund' },
      },
    ]);
    expect(await notesOf(await createUser())).toEqual([]);
  });

  it('is added once, however often and at once the request is sent, and keeps its first text', async () => {
    const userId = await createUser();
    const noteId = newId();
    await Promise.all([1, 2, 3].map(() => add(userId, { noteId })));
    await add(userId, { noteId, text: 'Another text' });
    expect(await textsOf(userId)).toEqual(['Asked for an invoice']);
    expect(await audited(userId)).toHaveLength(1);
  });

  it('cannot have the id of a note about another user', async () => {
    const [userId, other] = [await createUser(), await createUser()];
    const noteId = newId();
    await add(userId, { noteId });
    expect(await add(other, { noteId }).catch(codeOf)).toBe('profile.note_not_found');
    // At once for two users, one of them has it.
    const shared = newId();
    const results = await Promise.allSettled([userId, other].map((id) => add(id, { noteId: shared })));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await notesOf(userId)).length + (await notesOf(other)).length).toBe(2);
  });

  it('is refused for an unknown and for a deleted user', async () => {
    const userId = await createUser();
    await erase(userId);
    for (const id of [userId, newId()]) expect(await add(id).catch(codeOf)).toBe('profile.not_found');
    expect(await rowsOf(userId)).toEqual([]);
  });

  it('is deleted by its author alone, and the audit log keeps the text', async () => {
    const [userId, other] = [await createUser(), await createUser()];
    const noteId = newId();
    await add(userId, { noteId });
    expect(await remove(userId, noteId, LUKASZ).catch(codeOf)).toBe('profile.note_not_found');
    expect(await remove(other, noteId).catch(codeOf)).toBe('profile.note_not_found');
    expect(await textsOf(userId)).toHaveLength(1);
    const results = await Promise.allSettled([remove(userId, noteId), remove(userId, noteId)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await textsOf(userId)).toEqual([]);
    const deleted = { action: 'note.delete', actorId: INES, after: null };
    expect(await audited(userId)).toMatchObject([
      { ...deleted, before: { id: noteId, text: 'Asked for an invoice' } },
      { action: 'note.add' },
    ]);
  });
});

describe('the notes about a user', () => {
  it('are limited, also for requests at once, and a deleted one makes room', async () => {
    const userId = await createUser();
    await fill(userId, NOTES_MAX - 1);
    const ids = Array.from({ length: 6 }, () => newId());
    const results = await Promise.all(
      ids.map((noteId) => add(userId, { noteId }).then(() => noteId, codeOf)),
    );
    const [added, ...more] = results.filter((result) => result !== 'profile.notes_full');
    expect(more).toEqual([]);
    expect(await notesOf(userId)).toHaveLength(NOTES_MAX);
    // A repeated request of one that was added is no further note.
    await add(userId, { noteId: added ?? '' });
    await remove(userId, added ?? '');
    await add(userId);
    expect(await add(userId).catch(codeOf)).toBe('profile.notes_full');
  });

  it('get none while the user is being deleted', async () => {
    const userId = await createUser();
    const adding = await inTransaction(db, async (tx) => {
      await eraseUser(tx, userId, now);
      const underWay = add(userId).catch(codeOf);
      await untilLockWait(db, /profiles.*FOR UPDATE/s);
      return { underWay };
    });
    expect(await adding.underWay).toBe('profile.not_found');
    expect(await rowsOf(userId)).toEqual([]);
  });

  it('are deleted with the user, and redacted in the audit log, also one that is being deleted', async () => {
    const userId = await createUser();
    const noteId = newId();
    await add(userId, { noteId, text: 'Moved to Olinda' });
    await add(userId, { text: 'Moved to Natal' });
    const erasing = await inTransaction(db, async (tx) => {
      await removeNote(tx, { userId, noteId }, { ...as(INES), clock: () => now });
      const underWay = erase(userId);
      await untilLockWait(db, /DELETE FROM user_notes/);
      return { underWay };
    });
    await erasing.underWay;
    expect(await rowsOf(userId)).toEqual([]);
    const entries = await audited(userId);
    expect(entries.map(({ action }) => action)).toEqual(['note.delete', 'note.add', 'note.add']);
    expect(JSON.stringify(entries)).not.toMatch(/Olinda|Natal/);
  });

  it('are in the data of the user, without their authors', async () => {
    const userId = await createUser();
    await add(userId);
    const section = { userId, section: 'notes' };
    expect(await profile.ask(dataExportEndpoints.profile, section, asService())).toEqual({
      data: [{ text: 'Asked for an invoice', createdAt: now.toISOString() }],
      next: null,
    });
  });
});

it.each([
  ['no text', ''],
  ['spaces alone', ' \n\r\n '],
  ['a character too many', 'x'.repeat(NOTE_MAX + 1)],
  ['control characters', 'a\u0000b'],
  ['invisible characters', 'a\u202eb'],
])('a note of %s is refused', async (_what, text) => {
  const userId = await createUser();
  await expect(add(userId, { text })).rejects.toHaveProperty('fields.text');
  expect(await textsOf(userId)).toEqual([]);
});

it('a note has as many characters as it may, of any script', async () => {
  const userId = await createUser();
  const text = '😀'.repeat(NOTE_MAX);
  await add(userId, { text });
  expect(await textsOf(userId)).toEqual([text]);
});
