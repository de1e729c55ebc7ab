import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { useCallback, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { AccountForm } from '../features/account-form/account-form.tsx';
import { AccountFormBones } from '../features/account-form/account-form-bones.tsx';
import { accountForm, type AccountValues } from '../features/account-form/account-values.ts';
import { Conflict } from '../features/account-form/conflict.tsx';
import { DraftFound } from '../features/account-form/draft-found.tsx';
import { useDraftOfEdit } from '../features/account-form/use-draft.ts';
import { useStart } from '../features/account-form/use-start.ts';
import { call } from '../lib/api/call.ts';
import { readAgain } from '../lib/data/stale.ts';
import { useUser } from '../lib/data/use-user.ts';
import { paths } from '../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../lib/state/hooks.ts';
import { toasts } from '../lib/state/toasts.ts';
import { useCommand } from '../lib/use-command.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Reading } from '../ui/reading.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const TITLE = 'User Profile';
const DESCRIPTION = 'Here Is Information';

type Filled = { values: AccountValues; file: File | null };

type Saving = { id: string; version: number; onSaved: () => void };

const useSave = ({ id, version, onSaved }: Saving) => {
  const token = useUserToken();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const save = useCallback(
    async ({ values, file }: Filled): Promise<void> => {
      await call(publicEndpoints.updateUser, accountForm({ values, file, version }), {
        token,
        params: { id },
      });
      onSaved();
      await readAgain(['profile']);
      dispatch(toasts.shown('Your profile is saved.'));
      await navigate(paths.home);
    },
    [token, id, version, onSaved, navigate, dispatch],
  );
  return useCommand(save);
};

const useProfileForm = (user: UserView) => {
  const { start, round, keepInput, beginWith } = useStart(user);
  const draft = useDraftOfEdit(start);
  const saving = useSave({ id: user.id, version: start.version, onSaved: draft.forget });
  return {
    start,
    round,
    draft,
    saving,
    keepMine: (version: number): void => {
      keepInput(version);
      saving.forget();
    },
    beginWith: (saved: UserView): void => {
      draft.discard();
      beginWith(saved);
      saving.forget();
    },
  };
};

const ProfileForm = ({ user }: { user: UserView }): ReactNode => {
  const { start, round, draft, saving, keepMine, beginWith } = useProfileForm(user);
  const isConflict = saving.failure?.code === 'profile.version_conflict';
  return (
    <section className="measure stack sheets" aria-label={TITLE}>
      {isConflict && (
        <Conflict
          theirs={user}
          start={start}
          onLook={() => readAgain(['profile'])}
          onKeep={keepMine}
          onTake={beginWith}
        />
      )}
      {draft.isFound && <DraftFound onDiscard={() => beginWith(start)} />}
      <AccountForm
        key={round}
        mode="edit"
        initial={draft.initial}
        picture={start.picture === null ? null : paths.picture(start.picture)}
        submitLabel="Save"
        passwordLabel="New password"
        isBusy={saving.isBusy}
        failure={isConflict ? null : saving.failure}
        onSubmit={(values, file) => void saving.run({ values, file })}
        onChange={draft.keep}
        end={
          <ButtonLink look="quiet" to={paths.home} onClick={draft.forget}>
            Cancel
          </ButtonLink>
        }
      />
    </section>
  );
};

const Waiting = (): ReactNode => (
  <Skeleton label="Loading your profile">
    <div className="measure">
      <AccountFormBones />
    </div>
  </Skeleton>
);

const Content = (): ReactNode => (
  <Reading of={useUser()} waiting={<Waiting />} failed="Your profile could not be loaded">
    {(user) => <ProfileForm user={user} />}
  </Reading>
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
