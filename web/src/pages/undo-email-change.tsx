import type { RemovedAccess, UndoableEmail } from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { isEndedLink, useLinkQuery, useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { undoEmailText } from '../messages/undo-email.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { LoadingState, QueryView } from '../ui/states.tsx';

const Ended = (): ReactNode => (
  <>
    <AuthHead title={emailText('ended')}>
      <p>{undoEmailText('undoEnded', { days: EMAIL_UNDO_DAYS })}</p>
    </AuthHead>
    <ButtonLink variant="primary" to={paths.login}>
      {emailText('logIn')}
    </ButtonLink>
  </>
);

/** What was added to the account since the change was requested, and is removed now. */
const Removed = (removed: RemovedAccess): ReactNode => {
  const { twoStep, recoveryCodes, passkeys, apiKeys, connections, webhooks } = removed;
  const lines = [
    twoStep && undoEmailText('removedTwoStep'),
    recoveryCodes && undoEmailText('removedCodes'),
    passkeys > 0 && undoEmailText('removedPasskeys', { count: passkeys }),
    apiKeys > 0 && undoEmailText('removedKeys', { count: apiKeys }),
    connections > 0 && undoEmailText('removedTools', { count: connections }),
    webhooks > 0 && undoEmailText('stoppedWebhooks', { count: webhooks }),
  ].filter((line) => line !== false);
  return (
    lines.length > 0 && (
      <>
        <p>{undoEmailText('removed')}</p>
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </>
    )
  );
};

type Link = UndoableEmail & { token: string };

/** The token of the link sets the new password, too. */
const Done = ({ email, isConfirmed, token, removed }: Link & { removed: RemovedAccess }): ReactNode => (
  <>
    <AuthHead title={undoEmailText(isConfirmed ? 'undone' : 'stopped')} isDone>
      <p>
        {undoEmailText.rich<ReactNode>(isConfirmed ? 'undoneText' : 'stoppedText', {
          email: <Email key="email">{email}</Email>,
        })}
      </p>
      <Removed {...removed} />
    </AuthHead>
    <ButtonLink variant="primary" to={paths.resetPassword} state={{ linkToken: token }}>
      {undoEmailText('setPassword')}
    </ButtonLink>
  </>
);

const useUndo = (token: string, onUndone: (removed: RemovedAccess) => void) =>
  useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.undoEmailChange, { token });
    onUndone(data.removed);
  });

const Undo = (link: Link): ReactNode => {
  const { token, email, isConfirmed } = link;
  const [removed, setRemoved] = useState<RemovedAccess | null>(null);
  const { isBusy, failure, run } = useUndo(token, setRemoved);
  if (removed !== null) return <Done {...link} removed={removed} />;
  if (isEndedLink(failure)) return <Ended />;
  return (
    <>
      <AuthHead title={undoEmailText(isConfirmed ? 'undoTitle' : 'stopTitle')}>
        <p>
          {undoEmailText.rich<ReactNode>(isConfirmed ? 'undoText' : 'stopText', {
            email: <Email key="email">{email}</Email>,
          })}
        </p>
        <p>{undoEmailText('undoRemoves')}</p>
      </AuthHead>
      {failure !== null && <FailureAlert failure={failure} />}
      <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
        {undoEmailText(isConfirmed ? 'undo' : 'stop')}
      </Button>
    </>
  );
};

const Checked = ({ token }: { token: string }): ReactNode => {
  const { query, isEnded } = useLinkQuery('email-undo', token, () =>
    call(publicEndpoints.checkEmailUndo, { token }),
  );
  if (isEnded) return <Ended />;
  const skeleton = <LoadingState title={undoEmailText('checkingUndo')}>{emailText('moment')}</LoadingState>;
  return (
    <QueryView query={query} skeleton={skeleton} errorTitle={undoEmailText('undoFailed')}>
      {({ data }) => <Undo token={token} {...data} />}
    </QueryView>
  );
};

/** The page of the link in the mail to the former address. */
const UndoEmailChangePage = (): ReactNode => {
  usePageInfo({ pageName: 'undo-email-change', pageTitle: undoEmailText('undoTitle'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.login}>
      {token === null ? <Ended /> : <Checked key={token} token={token} />}
    </AuthLayout>
  );
};

export default UndoEmailChangePage;
