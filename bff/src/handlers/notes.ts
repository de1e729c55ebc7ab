import { type AdminView, identityEndpoints } from '@shortlist/contracts/api/identity';
import { type Note, noteEndpoints, type NoteView } from '@shortlist/contracts/api/notes';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route } from '../http/endpoint.ts';
import { type Services, unlessAway } from '../services.ts';

/** A note with the name of its author, if there is still such an admin. */
export const presentNote = (
  { authorId, ...note }: Note,
  { admins, caller }: { admins: readonly AdminView[]; caller: Caller },
): NoteView => {
  const author = admins.find(({ userId }) => userId === authorId);
  return { ...note, author: author?.name ?? author?.email ?? '', isOwn: authorId === caller.userId };
};

export const userNoteEndpoints = ({ services, log }: { services: Services; log: Log }): Route[] => [
  composed(publicEndpoints.userNotes, async ({ input, caller }) => {
    const [notes, admins] = await Promise.all([
      services.profile(noteEndpoints.listNotes, input, { caller }),
      unlessAway(log, services.identity(identityEndpoints.listAdmins, {}, { caller })),
    ]);
    return { data: notes.data.map((note) => presentNote(note, { admins: admins?.data ?? [], caller })) };
  }),

  // Validated here: JSON of this size can be nested too deeply to be written again unread.
  composed(publicEndpoints.addNote, ({ input, caller }) =>
    services.profile(noteEndpoints.addNote, input, { caller }),
  ),
];
