import { recordAdminChange } from '@shortlist/audit/audit-log';
import { NOTES_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { lockProfile } from '../profiles/queries.ts';
import { countNotes, deleteNote, findNote, insertNoteIfAbsent, lockNote } from './queries.ts';

type Author = { caller: Caller; clock: Clock };

/** Adds a note, unless the user has one with this id. The audit log keeps its text when it is deleted. */
export const addNote = async (
  tx: Tx,
  { userId, noteId: id, text }: { userId: string; noteId: string; text: string },
  { caller, clock }: Author,
): Promise<void> => {
  // Concurrent requests are counted one after the other, and a concurrent deletion either deletes the note or prevents it.
  if ((await lockProfile(tx, userId)) === null) throw createError('profile.not_found');
  const existing = await findNote(tx, id);
  if (existing?.userId === userId) return;
  if (existing === null && (await countNotes(tx, userId)) >= NOTES_MAX)
    throw createError('profile.notes_full');
  const note = { id, userId, authorId: caller.userId ?? '', text, createdAt: clock() };
  if (!(await insertNoteIfAbsent(tx, note))) throw createError('profile.note_not_found'); // the id of another user's note
  await recordAdminChange(tx, { action: 'note.add', targetId: userId, after: { id, text }, caller, clock });
};

/** Deletes a note of the caller. */
export const removeNote = async (
  tx: Tx,
  { userId, noteId: id }: { userId: string; noteId: string },
  { caller, clock }: Author,
): Promise<void> => {
  const note = await lockNote(tx, id);
  if (note?.userId !== userId || note.authorId !== caller.userId) throw createError('profile.note_not_found');
  await deleteNote(tx, id);
  const before = { id, text: note.text };
  await recordAdminChange(tx, { action: 'note.delete', targetId: userId, before, caller, clock });
};
