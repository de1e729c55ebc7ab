import type { Profile } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { clearDraft } from '../../lib/form/drafts.ts';
import { paths } from '../../lib/paths.ts';
import type { Destination } from '../../lib/state/list-view.ts';
import { useAdminToken, useAppDispatch, useUserList, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { accountFormText } from '../../messages/account-form.ts';
import { controlText } from '../../messages/shell.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { AccountForm } from './account-form.tsx';
import {
  accountFormData,
  type AccountValues,
  type PictureChoice,
  type Submission,
} from './account-values.ts';
import { Conflict } from './conflict.tsx';
import { DraftNotice, useEditDraft } from './draft.tsx';

/**
 * The user that an edit form is based on: as first loaded, because a later response must not overwrite the input.
 * `formKey` is the form's React key and changes when the form starts over.
 */
const useEditBase = (user: Profile) => {
  const [{ base, formKey }, setBase] = useState({ base: user, formKey: 0 });
  return {
    base,
    formKey,
    /** Keeps the input and bases it on what has been saved since. */
    rebase: (saved: Profile): void => setBase({ base: saved, formKey }),
    /** Starts the form over from the given user. */
    restart: (saved: Profile): void => setBase({ base: saved, formKey: formKey + 1 }),
  };
};

/** Who edits: the user, or an admin. */
const EDITORS = {
  user: {
    area: 'profile',
    password: { passwordLabel: accountFormText('newPassword') },
  },
  admin: {
    area: 'directory',
    password: {
      passwordLabel: accountFormText('password'),
      passwordQualifier: accountFormText('onlyToChange'),
    },
  },
} as const;

type EditFormProps = { user: Profile; editor: keyof typeof EDITORS; cancelTo: Destination };

/** Saves the account and returns to where the editor came from. Source: docs/product.md. */
const useSave = ({ user: { id }, editor }: EditFormProps) => {
  const tokens = { user: useUserToken(), admin: useAdminToken() };
  const userList = useUserList({ notice: 'userUpdated' });
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  return useCommand(async (form: FormData): Promise<void> => {
    await call(publicEndpoints.updateUser, form, { token: tokens[editor], params: { id } });
    clearDraft(id);
    // The button stays busy until the new data is loaded, so that the screen never shows the old state as the result.
    await revalidate([EDITORS[editor].area]);
    if (editor === 'user') dispatch(toasts.added(accountFormText('profileSaved')));
    const { to, state }: Destination = editor === 'user' ? { to: paths.home } : userList;
    await navigate(to, { state });
  });
};

const useEditForm = (props: EditFormProps) => {
  const { user, editor } = props;
  const { base, formKey, rebase, restart } = useEditBase(user);
  const draft = useEditDraft(base);
  const { isBusy, failure, run, dismiss } = useSave(props);
  const [submission, setSubmission] = useState<Submission | null>(null);
  const [merged, setMerged] = useState<AccountValues | null>(null);
  const submit = (submitted: Submission, version: number): void => {
    setSubmission(submitted);
    void run(accountFormData({ ...submitted, version, isAdmin: editor === 'admin' }));
  };
  return {
    base,
    formKey,
    draft,
    isBusy,
    failure,
    submission: failure?.code === 'profile.version_conflict' ? submission : null,
    merged,
    resolve: (resolved: Submission): void => {
      rebase(user);
      setMerged(resolved.values);
      submit(resolved, user.version);
    },
    restart: (saved: Profile): void => {
      draft.discard();
      restart(saved);
      dismiss();
    },
    save: (values: AccountValues, file: PictureChoice): void => submit({ values, file }, base.version),
  };
};

/** The form of an existing account. Another editor's save is merged, an unsaved draft is restored. */
export const EditForm = (props: EditFormProps): ReactNode => {
  const { user, editor, cancelTo } = props;
  const form = useEditForm(props);
  const { base, draft, submission } = form;
  const { area, password } = EDITORS[editor];
  return (
    <>
      {submission !== null && (
        <Conflict
          editor={editor}
          latest={user}
          base={base}
          submission={submission}
          onReload={() => revalidate([area])}
          onResolve={form.resolve}
        />
      )}
      {draft.isRestored && <DraftNotice onDiscard={() => form.restart(base)} />}
      <AccountForm
        key={form.formKey}
        mode="edit"
        isAdmin={editor === 'admin'}
        initial={draft.initial}
        picture={base.picture === null ? null : paths.picture(base.picture)}
        submitLabel={accountFormText('save')}
        busyLabel={controlText('saving')}
        {...password}
        merged={form.merged}
        isBusy={form.isBusy || (submission !== null && user.version === base.version)}
        isLocked={submission !== null}
        failure={submission === null ? form.failure : null}
        onChange={draft.save}
        onSubmit={form.save}
        actions={
          <ButtonLink variant="quiet" {...cancelTo} onClick={draft.clear}>
            {controlText('cancel')}
          </ButtonLink>
        }
      />
    </>
  );
};
