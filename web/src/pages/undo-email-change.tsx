import type { RemovedAccess, UndoableEmail } from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { NewPasswordForm, useNewPassword } from '../features/session/new-password-form.tsx';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useLinkQuery, useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { passwordText } from '../messages/password.ts';
import { undoEmailText } from '../messages/undo-email.ts';
import { AccessList, hasAccess } from '../ui/access-list.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { StrongEmail } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { LoadingState } from '../ui/states.tsx';

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

const COUNTED = [
  ['passkeys', 'removedPasskeys'],
  ['apiKeys', 'removedKeys'],
  ['connections', 'removedTools'],
  ['webhooks', 'stoppedWebhooks'],
] as const;

/** What was ended beside the change. */
const Removed = ({ removed }: { removed: RemovedAccess }): ReactNode => {
  const lines = [
    ...(removed.twoStep ? [undoEmailText('removedTwoStep')] : []),
    ...(removed.recoveryCodes ? [undoEmailText('removedCodes')] : []),
    ...COUNTED.filter(([kind]) => removed[kind] > 0).map(([kind, text]) =>
      undoEmailText(text, { count: removed[kind] }),
    ),
    ...(removed.deletion ? [undoEmailText('canceledDeletion')] : []),
  ];
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

type DoneProps = Pick<UndoableEmail, 'email' | 'isConfirmed'> & { removed: RemovedAccess };

const Done = ({ email, isConfirmed, removed }: DoneProps): ReactNode => (
  <>
    <AuthHead title={undoEmailText(isConfirmed ? 'undone' : 'stopped')} isDone>
      <p>
        {undoEmailText.rich<ReactNode>(isConfirmed ? 'undoneText' : 'stoppedText', {
          email: <StrongEmail key="email">{email}</StrongEmail>,
        })}
      </p>
      <Removed removed={removed} />
    </AuthHead>
    <ButtonLink variant="primary" className="is-wide" to={paths.login}>
      {emailText('logIn')}
    </ButtonLink>
  </>
);

/** What happens with the undo. */
const Consequences = ({ access, deletion }: Pick<UndoableEmail, 'access' | 'deletion'>): ReactNode => (
  <>
    <p>{undoEmailText('happens')}</p>
    <ul>
      <li>{undoEmailText('signsOut')}</li>
      <li>{undoEmailText('removesFactors')}</li>
      {hasAccess(access) && (
        <li>
          {undoEmailText('endsAccess')}
          <AccessList access={access} />
        </li>
      )}
      {deletion && <li>{undoEmailText('keepsAccount')}</li>}
    </ul>
  </>
);

/** The undo takes the new password in the same step: another person may know the current one. */
const Undo = ({ token, email, isConfirmed, ...more }: UndoableEmail & { token: string }): ReactNode => {
  const form = useNewPassword();
  const [removed, setRemoved] = useState<RemovedAccess | null>(null);
  const [isEnded, setIsEnded] = useState(false);
  const handleEnded = useCallback(() => setIsEnded(true), []);
  const perform = async ({ password }: { password: string }): Promise<void> => {
    const { data } = await call(publicEndpoints.undoEmailChange, { token, password });
    setRemoved(data.removed);
  };
  if (removed !== null) return <Done email={email} isConfirmed={isConfirmed} removed={removed} />;
  if (isEnded) return <Ended />;
  return (
    <>
      <AuthHead title={undoEmailText(isConfirmed ? 'undoTitle' : 'stopTitle')}>
        <p>
          {undoEmailText.rich<ReactNode>(isConfirmed ? 'undoText' : 'stopText', {
            email: <StrongEmail key="email">{email}</StrongEmail>,
          })}
        </p>
        <Consequences {...more} />
      </AuthHead>
      <NewPasswordForm
        form={form}
        owner={{ email }}
        label={passwordText('newPassword')}
        submitLabel={undoEmailText(isConfirmed ? 'undo' : 'stop')}
        perform={perform}
        onDone={() => undefined}
        onEnded={handleEnded}
      />
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
  usePageInfo({ pageName: 'undo-email-change', pageTitle: undoEmailText('undoTitle'), pageDescription: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.login}>
      {token === null ? (
        <Ended />
      ) : (
        <div className="undo-page">
          <Checked key={token} token={token} />
        </div>
      )}
    </AuthLayout>
  );
};

export default UndoEmailChangePage;
