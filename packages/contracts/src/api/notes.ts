// What admins note about a user. Only admins read it, and the user in the data download.
import { NOTE_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, FORM_BYTES, forAdmins, operationsOf, toAdmins } from './operation.ts';

export const note = rule.view({ id: rule.uuid, authorId: rule.uuid, text: rule.text, createdAt: rule.time });
export type Note = rule.TypeOf<typeof note>;

/** `author`: the admin's name or, without one, email; empty for a former admin. `isOwn`: whether the caller wrote it. */
export const noteView = rule.view({
  id: rule.uuid,
  author: rule.text,
  isOwn: rule.flag,
  text: rule.text,
  createdAt: rule.time,
});
export type NoteView = rule.TypeOf<typeof noteView>;

const byAdmin = operationsOf('profile', { roles: ['admin'] });
const NOTE_PATH = '/api/users/:userId/notes/:noteId';

export const noteEndpoints = {
  /** All, the newest first. */
  listNotes: byAdmin('GET /profiles/:userId/notes', { reply: { data: rule.listOf(note) } }),
  /** The client chooses the id, so that a repeated request adds one note. Throws `profile.notes_full`. */
  addNote: byAdmin('PUT /profiles/:userId/notes/:noteId', {
    input: { text: rule.paragraphs({ required: 'Please enter a note' }, { max: NOTE_MAX }) },
    public: { addNote: toAdmins(NOTE_PATH, { permission: 'notes.write', bodyBytes: 4 * FORM_BYTES }) },
  }),
  /** Throws `profile.note_not_found` also for a note of another admin. */
  removeNote: byAdmin('DELETE /profiles/:userId/notes/:noteId', {
    public: { removeNote: toAdmins(NOTE_PATH, { permission: 'notes.write' }) },
  }),
} as const;

export const publicNoteEndpoints = {
  ...addressesOf(noteEndpoints),
  userNotes: forAdmins('GET /api/users/:userId/notes', {
    permission: 'users.read',
    reply: { data: rule.listOf(noteView) },
  }),
} as const;
