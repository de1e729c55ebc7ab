import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import useSWR from 'swr';
import { failureOf } from '../lib/api/api-error.ts';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { isEndedLink } from '../lib/ended-link.ts';
import { paths } from '../lib/paths.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { Alert } from '../ui/alert.tsx';
import { AuthLayout } from '../ui/auth-layout.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DoneMark } from '../ui/done-mark.tsx';
import { Email } from '../ui/email.tsx';
import { Heading } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { LoadingState } from '../ui/states.tsx';

const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

const Ended = (): ReactNode => (
  <>
    <header className="auth-head">
      <Heading>{emailText('ended')}</Heading>
      <p>{emailText('undoEnded', { days: EMAIL_UNDO_DAYS })}</p>
    </header>
    <ButtonLink variant="primary" to={paths.login}>
      {emailText('logIn')}
    </ButtonLink>
  </>
);

/** The token of the link sets the new password, too. */
const Done = ({ email, token }: { email: string; token: string }): ReactNode => (
  <>
    <header className="auth-head" role="status">
      <DoneMark />
      <Heading>{emailText('undone')}</Heading>
      <p>{emailText.rich<ReactNode>('undoneText', { email: <Email key="email">{email}</Email> })}</p>
    </header>
    <ButtonLink variant="primary" to={paths.resetPassword} state={{ linkToken: token }}>
      {emailText('setPassword')}
    </ButtonLink>
  </>
);

const useUndo = (token: string, onUndone: () => void) =>
  useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.undoEmailChange, { token });
      onUndone();
    }, [token, onUndone]),
  );

const Undo = ({ token, email }: { token: string; email: string }): ReactNode => {
  const [isUndone, setIsUndone] = useState(false);
  const handleUndone = useCallback(() => setIsUndone(true), []);
  const { isBusy, failure, run } = useUndo(token, handleUndone);
  if (isUndone) return <Done email={email} token={token} />;
  if (isEndedLink(failure)) return <Ended />;
  return (
    <>
      <header className="auth-head">
        <Heading>{emailText('undoTitle')}</Heading>
        <p>{emailText.rich<ReactNode>('undoText', { email: <Email key="email">{email}</Email> })}</p>
      </header>
      {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      <Button variant="primary" isBusy={isBusy} onClick={() => void run(undefined)}>
        {emailText('undo')}
      </Button>
    </>
  );
};

const Checked = ({ token }: { token: string }): ReactNode => {
  const query = useSWR(['email-undo', token], () => call(publicEndpoints.checkEmailUndo, { token }), ONCE);
  if (isEndedLink(query.error === undefined ? null : failureOf(query.error))) return <Ended />;
  const skeleton = <LoadingState title={emailText('checkingUndo')}>{emailText('moment')}</LoadingState>;
  return (
    <QueryView query={query} skeleton={skeleton} errorTitle={emailText('undoFailed')}>
      {({ data }) => <Undo token={token} email={data.email} />}
    </QueryView>
  );
};

/** The page of the link in the mail to the former address. */
const UndoEmailChangePage = (): ReactNode => {
  usePageInfo({ pageName: 'undo-email-change', pageTitle: emailText('undoTitle'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.login}>
      {token === null ? <Ended /> : <Checked key={token} token={token} />}
    </AuthLayout>
  );
};

export default UndoEmailChangePage;
