import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { shortTime } from '../lib/dates.ts';
import { sessions } from '../lib/state/sessions.ts';
import { useAppDispatch, useAppSelector, usePageInfo, useUserToken } from '../lib/state/hooks.tsx';
import { toasts } from '../lib/state/page.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { leavingText } from '../messages/privacy.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { Button } from '../ui/button.tsx';

const TITLE = leavingText('title');

const useKeepAccount = () => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.keepAccount, {}, { token });
    dispatch(toasts.added(leavingText('stays')));
    // The check returns what the session may do.
    if (token !== null) dispatch(sessions.checkRequested('user', token));
  });
};

/** The only screen of an account that is about to be deleted. */
const Leaving = (): ReactNode => {
  const dispatch = useAppDispatch();
  const dueAt = useAppSelector((state) => state.sessions.user.deletionDueAt);
  const { isBusy, failure, run } = useKeepAccount();
  usePageInfo({ pageName: 'leaving', pageTitle: TITLE, pageDescription: '' });
  return (
    <AuthLayout config={useConfig()}>
      <AuthHead title={TITLE}>
        {dueAt !== null && <p>{leavingText('on', { date: shortTime(dueAt) })}</p>}
        <p>{leavingText('plan')}</p>
      </AuthHead>
      {failure !== null && <FailureAlert failure={failure} />}
      <div className="auth-fields">
        <Button variant="primary" className="is-wide" isBusy={isBusy} onClick={() => void run()}>
          {leavingText('keep')}
        </Button>
        <Button className="is-wide" onClick={() => dispatch(sessions.logoutRequested('user'))}>
          {leavingText('logOut')}
        </Button>
      </div>
    </AuthLayout>
  );
};

export default Leaving;
