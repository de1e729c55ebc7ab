import { publicDoors, type UserView } from '@shortlist/contracts/api/public';
import { useCallback, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { AccountForm } from '../features/account-form/account-form.tsx';
import { AccountFormSkeleton } from '../features/account-form/account-form-skeleton.tsx';
import { accountFormData, type AccountValues } from '../features/account-form/account-values.ts';
import { Conflict } from '../features/account-form/conflict.tsx';
import { DraftNotice } from '../features/account-form/draft-notice.tsx';
import { useEditDraft } from '../features/account-form/use-draft.ts';
import { useEditBase } from '../features/account-form/use-edit-base.ts';
import { call } from '../lib/api/call.ts';
import { revalidate } from '../lib/data/revalidate.ts';
import { useUser } from '../lib/data/use-user.ts';
import { paths } from '../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../lib/state/hooks.ts';
import { toasts } from '../lib/state/toasts.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const TITLE = 'User Profile';
const DESCRIPTION = 'Here Is Information';

type FormInput = { values: AccountValues; file: File | null };

type Saving = { id: string; version: number; onSaved: () => void };

const useSave = ({ id, version, onSaved }: Saving) => {
  const token = useUserToken();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const save = useCallback(
    async ({ values, file }: FormInput): Promise<void> => {
      await call(publicDoors.updateUser, accountFormData({ values, file, version }), {
        token,
        params: { id },
      });
      onSaved();
      await revalidate(['profile']);
      dispatch(toasts.added('Your profile is saved.'));
      await navigate(paths.home);
    },
    [token, id, version, onSaved, navigate, dispatch],
  );
  return useCommand(save);
};

const useProfileForm = (user: UserView) => {
  const { base, formKey, rebase, restart } = useEditBase(user);
  const draft = useEditDraft(base);
  const saving = useSave({ id: user.id, version: base.version, onSaved: draft.clear });
  return {
    base,
    formKey,
    draft,
    saving,
    keepMine: (version: number): void => {
      rebase(version);
      saving.reset();
    },
    restart: (saved: UserView): void => {
      draft.discard();
      restart(saved);
      saving.reset();
    },
  };
};

const ProfileForm = ({ user }: { user: UserView }): ReactNode => {
  const { base, formKey, draft, saving, keepMine, restart } = useProfileForm(user);
  const isConflict = saving.failure?.code === 'profile.version_conflict';
  return (
    <section className="measure stack sheets" aria-label={TITLE}>
      {isConflict && (
        <Conflict
          latest={user}
          base={base}
          onReload={() => revalidate(['profile'])}
          onKeepMine={keepMine}
          onUseTheirs={restart}
        />
      )}
      {draft.isRestored && <DraftNotice onDiscard={() => restart(base)} />}
      <AccountForm
        key={formKey}
        mode="edit"
        initial={draft.initial}
        picture={base.picture === null ? null : paths.picture(base.picture)}
        submitLabel="Save"
        passwordLabel="New password"
        isBusy={saving.isBusy}
        failure={isConflict ? null : saving.failure}
        onSubmit={(values, file) => void saving.run({ values, file })}
        onChange={draft.save}
        actions={
          <ButtonLink look="quiet" to={paths.home} onClick={draft.clear}>
            Cancel
          </ButtonLink>
        }
      />
    </section>
  );
};

const ProfileSkeleton = (): ReactNode => (
  <Skeleton label="Loading your profile">
    <div className="measure">
      <AccountFormSkeleton />
    </div>
  </Skeleton>
);

const Content = (): ReactNode => (
  <QueryView query={useUser()} skeleton={<ProfileSkeleton />} errorTitle="Your profile could not be loaded">
    {(user) => <ProfileForm user={user} />}
  </QueryView>
);

const ProfilePage = (): ReactNode => {
  usePageInfo({ pageName: 'profile', pageTitle: TITLE, pageDescripttion: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <Content />
    </>
  );
};

export default ProfilePage;
