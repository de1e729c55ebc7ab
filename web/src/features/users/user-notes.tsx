import type { NoteView } from '@shortlist/contracts/api/notes';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { NOTE_MAX } from '@shortlist/contracts/limits';
import { type FormEvent, type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortTime } from '../../lib/dates.ts';
import { clearDraft, loadDraft, saveDraft } from '../../lib/form/drafts.ts';
import { May, useAdminToken, useAppDispatch, useCan } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/shell.ts';
import { notesText } from '../../messages/users.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { authorOf } from './user-data.ts';

/** The notes about a user, the newest first. */
export const useUserNotes = (userId: string) => useQuery('directory', publicEndpoints.userNotes, { userId });

type Draft = { text: string; noteId: string };

const newDraft = (text = ''): Draft => ({ text, noteId: crypto.randomUUID() });

/** What is typed stays in this tab until it is added. Its id belongs to the text, so that a text that is sent again is one note. */
const useNoteDraft = (userId: string) => {
  const owner = `note:${userId}`;
  const [draft, setDraft] = useState<Draft>(() => ({ ...newDraft(), ...loadDraft(owner) }));
  const type = (text: string): void => {
    const typed = newDraft(text);
    setDraft(typed);
    saveDraft(owner, text === '' ? {} : typed);
  };
  const clear = (): void => {
    clearDraft(owner);
    setDraft(newDraft());
  };
  return { draft, type, clear };
};

const useAddNote = (userId: string, onAdded: () => void) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (draft: Draft): Promise<void> => {
    try {
      await call(publicEndpoints.addNote, { userId, ...draft }, { token });
      onAdded();
      dispatch(toasts.added(notesText('added')));
    } finally {
      void revalidate(['directory']); // also after a failure: it may have been added
    }
  });
};

const AddNote = ({ userId }: { userId: string }): ReactNode => {
  const { draft, type, clear } = useNoteDraft(userId);
  const { isBusy, failure, run } = useAddNote(userId, clear);
  const length = [...draft.text].length;
  const tooLong = length > NOTE_MAX ? notesText('tooLong', { max: NOTE_MAX }) : undefined;
  const refused = failure?.fields['text'];
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (tooLong === undefined) void run(draft);
  };
  return (
    <Panel title={notesText('add')}>
      <form className="stack" noValidate onSubmit={handleSubmit}>
        <TextAreaField
          label={notesText('note')}
          help={
            <>
              {notesText('help')} {notesText('count', { count: length, max: NOTE_MAX })}
            </>
          }
          error={tooLong ?? refused}
          rows={4}
          readOnly={isBusy}
          value={draft.text}
          onChange={(event) => type(event.target.value)}
        />
        {failure !== null && refused === undefined && <FailureAlert failure={failure} />}
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy} busyLabel={controlText('saving')}>
            {notesText('addButton')}
          </Button>
        </div>
      </form>
    </Panel>
  );
};

type DeleteDialogProps = { userId: string; note: NoteView; onClose: () => void };

const DeleteNoteDialog = ({ userId, note, onClose }: DeleteDialogProps): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.removeNote, { userId, noteId: note.id }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(notesText('deleted')));
    onClose();
  });
  return (
    <ConfirmDialog
      title={notesText('deleteTitle')}
      confirmLabel={notesText('deleteButton')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{notesText('deleteText')}</p>
    </ConfirmDialog>
  );
};

const NoteList = ({ userId, notes }: { userId: string; notes: NoteView[] }): ReactNode => {
  const mayWrite = useCan()('notes.write');
  const [deleted, setDeleted] = useState<NoteView | null>(null);
  const close = useCallback(() => setDeleted(null), []);
  if (notes.length === 0) return <EmptyState>{notesText('none')}</EmptyState>;
  return (
    <>
      <Lines>
        {notes.map((note) => {
          const time = shortTime(note.createdAt);
          return (
            <Line
              key={note.id}
              title={<span className="note-text">{note.text}</span>}
              note={notesText('meta', { author: authorOf(note.author), time })}
            >
              {note.isOwn && mayWrite && (
                <Button
                  variant="quiet"
                  aria-label={notesText('deleteThis', { time })}
                  onClick={() => setDeleted(note)}
                >
                  {notesText('delete')}
                </Button>
              )}
            </Line>
          );
        })}
      </Lines>
      {deleted !== null && <DeleteNoteDialog userId={userId} note={deleted} onClose={close} />}
    </>
  );
};

/** What admins note about a user, and the form for one more. */
export const UserNotes = ({ userId }: { userId: string }): ReactNode => (
  <div className="stack sheets measure">
    <May permission="notes.write">
      <AddNote userId={userId} />
    </May>
    <Panel title={notesText('title')} isBare>
      <QueryView
        query={useUserNotes(userId)}
        skeleton={<LinesSkeleton label={notesText('loading')} lines={3} />}
        errorTitle={notesText('failed')}
      >
        {(notes) => <NoteList userId={userId} notes={notes} />}
      </QueryView>
    </Panel>
  </div>
);
