import { publicDoors, type UserView } from '@shortlist/contracts/api/public';
import { useCallback, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { AccountForm } from '../features/account-form/account-form.tsx';
import { accountForm, accountValuesOf, type AccountValues } from '../features/account-form/account-values.ts';
import { Conflict } from '../features/account-form/conflict.tsx';
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
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';

const TITLE = 'User Profile';
const DESCRIPTION = 'Here Is Information';

type Filled = { values: AccountValues; file: File | null };

const useSave = (id: string, version: number) => {
  const token = useUserToken();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const save = useCallback(
    async ({ values, file }: Filled): Promise<void> => {
      await call(publicDoors.updateUser, accountForm({ values, file, version }), { token, params: { id } });
      await readAgain(['profile']);
      dispatch(toasts.shown('Your profile is saved.'));
      await navigate(paths.home);
    },
    [token, id, version, navigate, dispatch],
  );
  return useCommand(save);
};

/** The form starts from the person as first read: a later reading must not overwrite what is being typed. */
const ProfileForm = ({ user }: { user: UserView }): ReactNode => {
  const [start, setStart] = useState(user);
  const { isBusy, failure, run, forget } = useSave(user.id, start.version);
  const isConflict = failure?.code === 'profile.version_conflict';
  const handleResolve = (version: number): void => {
    setStart({ ...start, version });
    forget();
  };
  return (
    <section className="panel" aria-label={TITLE}>
      <div className="body stack">
        {isConflict && (
          <Conflict
            theirs={user}
            start={start}
            onLook={() => readAgain(['profile'])}
            onResolve={handleResolve}
          />
        )}
        <AccountForm
          mode="edit"
          initial={accountValuesOf(start)}
          picture={start.picture === null ? null : paths.picture(start.picture)}
          submitLabel="Save"
          passwordLabel="New password"
          emailHelp="Your email is how you log in and cannot be changed here."
          isBusy={isBusy}
          failure={isConflict ? null : failure}
          onSubmit={(values, file) => void run({ values, file })}
          end={
            <ButtonLink look="quiet" to={paths.home}>
              Cancel
            </ButtonLink>
          }
        />
      </div>
    </section>
  );
};

const Waiting = (): ReactNode => (
  <Skeleton label="Loading your profile">
    <SkeletonPanel lines={8} />
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
