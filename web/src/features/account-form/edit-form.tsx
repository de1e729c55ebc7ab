import type { UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { revalidate } from '../../lib/data/revalidate.ts';
import { paths } from '../../lib/paths.ts';
import type { Destination } from '../../lib/state/list-view.ts';
import { useUserCommand } from '../../lib/state/use-user-command.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { AccountForm } from './account-form.tsx';
import { accountFormData, type AccountValues, type PictureChoice } from './account-values.ts';
import { Conflict } from './conflict.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { useEditDraft } from './use-draft.ts';
import { useEditBase } from './use-edit-base.ts';

/** Who edits: the user, or an admin. */
const EDITORS = {
  user: { command: 'saveProfile', area: 'profile', password: { passwordLabel: 'New password' } },
  admin: {
    command: 'update',
    area: 'directory',
    password: { passwordLabel: 'Password', passwordQualifier: 'only to change it' },
  },
} as const;

type EditFormProps = { user: UserView; editor: keyof typeof EDITORS; cancelTo: Destination };

const useEditForm = ({ user, editor }: EditFormProps) => {
  const { base, formKey, rebase, restart } = useEditBase(user);
  const draft = useEditDraft(base);
  const { isBusy, failure, run, reset } = useUserCommand(EDITORS[editor].command);
  return {
    base,
    formKey,
    draft,
    isBusy,
    failure,
    keepMine: (version: number): void => {
      rebase(version);
      reset();
    },
    restart: (saved: UserView): void => {
      draft.discard();
      restart(saved);
      reset();
    },
    save: (values: AccountValues, file: PictureChoice): void => {
      const isAdmin = editor === 'admin';
      run({ id: user.id, form: accountFormData({ values, file, version: base.version, isAdmin }) });
    },
  };
};

/** The form of an existing account. Another editor's save is shown as a conflict, an unsaved draft is restored. */
export const EditForm = (props: EditFormProps): ReactNode => {
  const { user, editor, cancelTo } = props;
  const { base, formKey, draft, isBusy, failure, keepMine, restart, save } = useEditForm(props);
  const { area, password } = EDITORS[editor];
  const isConflict = failure?.code === 'profile.version_conflict';
  return (
    <>
      {isConflict && (
        <Conflict
          latest={user}
          base={base}
          onReload={() => revalidate([area])}
          onKeepMine={keepMine}
          onUseTheirs={restart}
        />
      )}
      {draft.isRestored && <DraftNotice onDiscard={() => restart(base)} />}
      <AccountForm
        key={formKey}
        mode="edit"
        isAdmin={editor === 'admin'}
        initial={draft.initial}
        picture={base.picture === null ? null : paths.picture(base.picture)}
        submitLabel="Save"
        {...password}
        isBusy={isBusy}
        failure={isConflict ? null : failure}
        onChange={draft.save}
        onSubmit={save}
        actions={
          <ButtonLink variant="quiet" {...cancelTo} onClick={draft.clear}>
            Cancel
          </ButtonLink>
        }
      />
    </>
  );
};
