import type { UserView } from '@shortlist/contracts/api/public';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { AccountForm } from '../../features/account-form/account-form.tsx';
import { accountForm, type AccountValues } from '../../features/account-form/account-values.ts';
import { Conflict } from '../../features/account-form/conflict.tsx';
import { DraftFound } from '../../features/account-form/draft-found.tsx';
import { useDraftOfEdit } from '../../features/account-form/use-draft.ts';
import { useStart } from '../../features/account-form/use-start.ts';
import { AuditPanel } from '../../features/audit/audit-panel.tsx';
import { SubscriptionInformation } from '../../features/user-edit/subscription-information.tsx';
import { UserHead } from '../../features/user-edit/user-head.tsx';
import { failureOf } from '../../lib/api/api-error.ts';
import { readAgain } from '../../lib/data/stale.ts';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { listPlace } from '../../lib/state/list-left.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { usePageInfo } from '../../lib/use-page-info.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Reading } from '../../ui/reading.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/skeleton.tsx';

const useEditForm = (user: UserView) => {
  const { start, round, keepInput, beginWith } = useStart(user);
  const draft = useDraftOfEdit(start);
  const dispatch = useAppDispatch();
  const forget = (): void => void dispatch(userCommands.forgotten('update'));
  return {
    start,
    round,
    draft,
    keepMine: (version: number): void => {
      keepInput(version);
      forget();
    },
    beginWith: (saved: UserView): void => {
      draft.discard();
      beginWith(saved);
      forget();
    },
    save: (values: AccountValues, file: File | null): void => {
      const form = accountForm({ values, file, version: start.version, isAdmin: true });
      dispatch(userCommands.requested({ name: 'update', id: user.id, form }));
    },
  };
};

const EditDetails = ({ user }: { user: UserView }): ReactNode => {
  const { start, round, draft, keepMine, beginWith, save } = useEditForm(user);
  const { busy, failure } = useAppSelector((state) => state.userCommands.update);
  const left = useAppSelector((state) => state.listLeft);
  const isConflict = failure?.code === 'profile.version_conflict';
  return (
    <section className="stack" aria-label="Details">
      {isConflict && (
        <Conflict
          theirs={user}
          start={start}
          onLook={() => readAgain(['directory'])}
          onKeep={keepMine}
          onTake={beginWith}
        />
      )}
      {draft.isFound && <DraftFound onDiscard={() => beginWith(start)} />}
      <AccountForm
        key={round}
        mode="edit"
        isAdmin
        initial={draft.initial}
        picture={start.picture === null ? null : paths.picture(start.picture)}
        submitLabel="Save"
        passwordLabel="Password"
        passwordNote="only to change it"
        isBusy={busy}
        failure={isConflict ? null : failure}
        onChange={draft.keep}
        onSubmit={save}
        end={
          <ButtonLink look="quiet" {...listPlace(left)} onClick={draft.forget}>
            Cancel
          </ButtonLink>
        }
      />
    </section>
  );
};

const Loaded = ({ user }: { user: UserView }): ReactNode => {
  const name = `${user.firstName} ${user.lastName}`;
  usePageInfo({ pageName: 'edit-user', pageTitle: name, pageDescripttion: '' });
  return (
    <>
      <UserHead user={user} />
      <div className="split">
        <EditDetails user={user} />
        <div className="side-column">
          <SubscriptionInformation user={user} />
          <AuditPanel userId={user.id} />
        </div>
      </div>
    </>
  );
};

const useForgetCommands = (): void => {
  const dispatch = useAppDispatch();
  useEffect(
    () => () => {
      for (const name of ['update', 'grant', 'revoke'] as const) dispatch(userCommands.forgotten(name));
    },
    [dispatch],
  );
};

const Waiting = (): ReactNode => (
  <Skeleton label="Loading the user">
    <div className="split">
      <SkeletonPanel lines={8} />
      <SkeletonPanel lines={3} />
    </div>
  </Skeleton>
);

const isUnknown = (error: unknown): boolean => {
  const { status } = failureOf(error);
  return status === 404 || status === 400;
};

const EditUserPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id') || null;
  const reading = useUserById(id);
  const left = useAppSelector((state) => state.listLeft);
  useForgetCommands();
  if (id === null || (reading.error !== undefined && isUnknown(reading.error)))
    return <Navigate {...listPlace(left)} replace />;
  return (
    <Reading of={reading} waiting={<Waiting />} failed="This user could not be loaded">
      {(user) => <Loaded key={user.id} user={user} />}
    </Reading>
  );
};

export default EditUserPage;
