import type { UserView } from '@shortlist/contracts/api/public';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { AccountForm } from '../../features/account-form/account-form.tsx';
import { accountFormData, type AccountValues } from '../../features/account-form/account-values.ts';
import { Conflict } from '../../features/account-form/conflict.tsx';
import { DraftNotice } from '../../features/account-form/draft-notice.tsx';
import { useEditDraft } from '../../features/account-form/use-draft.ts';
import { useEditBase } from '../../features/account-form/use-edit-base.ts';
import { AuditPanel } from '../../features/audit/audit-panel.tsx';
import { SubscriptionInformation } from '../../features/users/subscription-information.tsx';
import { UserHead } from '../../features/users/user-head.tsx';
import { failureOf } from '../../lib/api/api-error.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { listDestination } from '../../lib/state/list-view.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/skeleton.tsx';

const useEditForm = (user: UserView) => {
  const { base, formKey, rebase, restart } = useEditBase(user);
  const draft = useEditDraft(base);
  const dispatch = useAppDispatch();
  const reset = (): void => void dispatch(userCommands.reset('update'));
  return {
    base,
    formKey,
    draft,
    keepMine: (version: number): void => {
      rebase(version);
      reset();
    },
    restart: (saved: UserView): void => {
      draft.discard();
      restart(saved);
      reset();
    },
    save: (values: AccountValues, file: File | null): void => {
      const form = accountFormData({ values, file, version: base.version, isAdmin: true });
      dispatch(userCommands.requested({ name: 'update', id: user.id, form }));
    },
  };
};

const EditDetails = ({ user }: { user: UserView }): ReactNode => {
  const { base, formKey, draft, keepMine, restart, save } = useEditForm(user);
  const { busy, failure } = useAppSelector((state) => state.userCommands.update);
  const listView = useAppSelector((state) => state.listView);
  const isConflict = failure?.code === 'profile.version_conflict';
  return (
    <section className="stack" aria-label="Details">
      {isConflict && (
        <Conflict
          latest={user}
          base={base}
          onReload={() => revalidate(['directory'])}
          onKeepMine={keepMine}
          onUseTheirs={restart}
        />
      )}
      {draft.isRestored && <DraftNotice onDiscard={() => restart(base)} />}
      <AccountForm
        key={formKey}
        mode="edit"
        isAdmin
        initial={draft.initial}
        picture={base.picture === null ? null : paths.picture(base.picture)}
        submitLabel="Save"
        passwordLabel="Password"
        passwordNote="only to change it"
        isBusy={busy}
        failure={isConflict ? null : failure}
        onChange={draft.save}
        onSubmit={save}
        actions={
          <ButtonLink look="quiet" {...listDestination(listView)} onClick={draft.clear}>
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

const useResetCommands = (): void => {
  const dispatch = useAppDispatch();
  useEffect(
    () => () => {
      for (const name of ['update', 'grant', 'revoke'] as const) dispatch(userCommands.reset(name));
    },
    [dispatch],
  );
};

const UserSkeleton = (): ReactNode => (
  <Skeleton label="Loading the user">
    <div className="split">
      <SkeletonPanel lines={8} />
      <SkeletonPanel lines={3} />
    </div>
  </Skeleton>
);

const isMissing = (error: unknown): boolean => {
  const { status } = failureOf(error);
  return status === 404 || status === 400;
};

const EditUserPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useUserById(id);
  const listView = useAppSelector((state) => state.listView);
  useResetCommands();
  if (id === null || (query.error !== undefined && isMissing(query.error)))
    return <Navigate {...listDestination(listView)} replace />;
  return (
    <QueryView query={query} skeleton={<UserSkeleton />} errorTitle="This user could not be loaded">
      {(user) => <Loaded key={user.id} user={user} />}
    </QueryView>
  );
};

export default EditUserPage;
