import { noteEndpoints } from '@shortlist/contracts/api/notes';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { addNote, removeNote } from './change-notes.ts';
import { listNotes, presentNote } from './queries.ts';

export const addNoteEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(noteEndpoints.listNotes, async ({ input }) => ({
    data: (await listNotes(db.manager, input.userId)).map(presentNote),
  }));

  router.add(noteEndpoints.addNote, async ({ input, caller }) => {
    await inTransaction(db, (tx) => addNote(tx, input, { caller, clock }));
    return {};
  });

  router.add(noteEndpoints.removeNote, async ({ input, caller }) => {
    await inTransaction(db, (tx) => removeNote(tx, input, { caller, clock }));
    return {};
  });
};
