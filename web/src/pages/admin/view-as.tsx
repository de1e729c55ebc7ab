import type { UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { seconds } from '@shortlist/contracts/durations';
import { FACTOR_REASON_MAX, VIEWING_SECONDS } from '@shortlist/contracts/limits';
import { fullName } from '@shortlist/contracts/messages';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { isMissingUser, MissingUser } from '../../features/users/user-head.tsx';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { now } from '../../lib/dates.ts';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken, usePageInfo } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { beginViewing } from '../../lib/viewing.ts';
import { headingText } from '../../messages/headings.ts';
import { viewAsText } from '../../messages/admin.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const useStart = (user: { id: string; name: string }) => {
  const token = useAdminToken();
  const browser = useBrowser();
  return useCommand(async (reason: string): Promise<void> => {
    const { data } = await call(publicEndpoints.startViewing, { id: user.id, reason }, { token });
    beginViewing(user, { token: data.token, endsAt: now() + seconds(data.remainingTime) });
    browser.replace(paths.home);
  });
};

/** Begins to view the product as a user, for a reason. */
const ViewAsForm = ({ user }: { user: UserView }): ReactNode => {
  const name = fullName(user);
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useStart({ id: user.id, name });
  const reasonError = failure?.fields['reason'];
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(reason.trim());
  };
  return (
    <form className="stack" noValidate onSubmit={handleSubmit}>
      <p>{viewAsText('whatHappens', { name, minutes: VIEWING_SECONDS / 60 })}</p>
      <p>{viewAsText('whatIsSeen', { name })}</p>
      <TextField
        label={viewAsText('reason')}
        maxLength={FACTOR_REASON_MAX}
        value={reason}
        error={reasonError}
        onChange={(event) => setReason(event.target.value)}
      />
      {failure !== null && reasonError === undefined && <FailureAlert failure={failure} />}
      <div className="button-row">
        <Button type="submit" variant="primary" className="is-wrapping" isBusy={isBusy}>
          {viewAsText('start', { name })}
        </Button>
        <ButtonLink variant="quiet" to={paths.editUser(user.id)}>
          {viewAsText('cancel')}
        </ButtonLink>
      </div>
    </form>
  );
};

const TITLE = headingText('viewAs');

const UserSkeleton = (): ReactNode => (
  <Skeleton label={viewAsText('loading')}>
    <div className="measure">
      <SkeletonPanel lines={4} />
    </div>
  </Skeleton>
);

/** Opens in a tab of its own, which then shows the pages of the user. */
const ViewAsPage = (): ReactNode => {
  usePageInfo({ pageName: 'view-as', pageTitle: TITLE, pageDescription: '' });
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useUserById(id);
  if (id === null) return <Navigate to={paths.userList} replace />;
  if (isMissingUser(query.error)) return <MissingUser error={query.error} />;
  return (
    <>
      <PageHeader title={TITLE} />
      <QueryView query={query} skeleton={<UserSkeleton />} errorTitle={viewAsText('failed')}>
        {(user) => (
          <div className="measure long-names">
            <Panel title={viewAsText('title', { name: fullName(user) })}>
              <ViewAsForm key={user.id} user={user} />
            </Panel>
          </div>
        )}
      </QueryView>
    </>
  );
};

export default ViewAsPage;
