import type { Told } from '@shortlist/audit/queries';
import type { Note } from '@shortlist/contracts/api/notes';
import type { TimelineEntry, TimelineQuery } from '@shortlist/contracts/api/timeline';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { boundOf, type Position } from '@shortlist/kit/data/newest-first';

/** What an admin noted about a user. */
export const noteEntity = defineEntity('note', 'user_notes', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  authorId: column.uuid,
  text: column.text,
  createdAt: column.dateTime,
});
export type NoteRow = RowOf<typeof noteEntity>;

export const presentNote = ({ id, authorId, text, createdAt }: NoteRow): Note => ({
  id,
  authorId,
  text,
  createdAt: createdAt.toISOString(),
});

/** All about a user, the newest first. */
export const listNotes = (tx: Tx, userId: string): Promise<NoteRow[]> =>
  tx.getRepository(noteEntity).find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' } });

const NOTE = 'note:';

/** What the timeline tells by the note itself, for as long as there is one. */
export const NOTED: Told = {
  action: 'note.add',
  item: 'note',
  condition: "EXISTS (SELECT 1 FROM user_notes n WHERE n.id = JSON_VALUE(entry.after_state, '$.id'))",
};

/** The notes as entries of the timeline. */
export const listNoteEntries = async (
  tx: Tx,
  { userId, position, limit }: TimelineQuery & { position: Position },
): Promise<TimelineEntry[]> => {
  const rows = await tx
    .getRepository(noteEntity)
    .createQueryBuilder('note')
    .where({ userId })
    .andWhere('note.createdAt <= :at AND (note.createdAt < :at OR note.id < :key)', boundOf(position, NOTE))
    .orderBy({ 'note.createdAt': 'DESC', 'note.id': 'DESC' })
    .limit(limit)
    .getMany();
  return rows.map(presentNote).map((note) => ({ id: `${NOTE}${note.id}`, at: note.createdAt, note }));
};

export const countNotes = (tx: Tx, userId: string): Promise<number> =>
  tx.getRepository(noteEntity).countBy({ userId });

export const findNote = (tx: Tx, id: string): Promise<NoteRow | null> =>
  tx.getRepository(noteEntity).findOneBy({ id });

/** Locks the row until the transaction ends, so that one of two requests deletes it. */
export const lockNote = (tx: Tx, id: string): Promise<NoteRow | null> =>
  tx.getRepository(noteEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

export const insertNoteIfAbsent = async (tx: Tx, note: NoteRow): Promise<boolean> =>
  (await insertIfAbsent(tx, noteEntity, note)) === 1;

export const deleteNote = async (tx: Tx, id: string): Promise<void> => {
  await tx.getRepository(noteEntity).delete({ id });
};
