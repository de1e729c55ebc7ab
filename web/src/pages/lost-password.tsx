// The pages for a lost password: one sends a link by mail, and the link leads to the other, which sets a new password.
import { readableEmail } from '@shortlist/contracts/unicode';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { RESET_MINUTES, RESET_PAUSE_MINUTES } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { MarkedList } from '../features/session/login-form.tsx';
import { NewPasswordForm, useNewPassword } from '../features/session/new-password-form.tsx';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { type Rules, useForm } from '../lib/form/use-form.ts';
import { isFromAdminLogin, paths } from '../lib/paths.ts';
import { useLoginEmail, usePageInfo } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { useLinkQuery, useLinkToken } from '../lib/use-link-token.ts';
import { passwordText } from '../messages/password.ts';
import { controlText } from '../messages/shell.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { StrongEmail } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../ui/states.tsx';

const loadRules = async (): Promise<Rules<{ email: string }>> =>
  (await import('../lib/form/password-rules.ts')).emailRules;

type ForgotFormProps = { email: string; onSent: (email: string) => void };

/** Requests a link to set a new password. */
const ForgotForm = ({ email, onSent }: ForgotFormProps): ReactNode => {
  const form = useForm({ initial: { email: readableEmail(email) }, loadRules });
  const { isBusy, failure, run } = useCommand(async (values: { email: string }): Promise<void> => {
    await call(publicEndpoints.forgotPassword, values);
    onSent(values.email);
  });
  return (
    <>
      {failure !== null && <FailureAlert failure={failure} />}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        <TextField
          label={passwordText('email')}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input('email')}
        />
        <Button
          type="submit"
          variant="primary"
          className="is-wide"
          isBusy={isBusy || form.isSubmitting}
          busyLabel={controlText('sending')}
        >
          {passwordText('sendLink')}
        </Button>
      </form>
    </>
  );
};

type SentProps = { email: string; login: string; onAgain: () => void };

/** The same for every address: the page does not say which addresses have accounts. */
const Sent = ({ email, login, onAgain }: SentProps): ReactNode => (
  <>
    <AuthHead title={passwordText('checkEmail')} role="status">
      <p>
        {passwordText.rich<ReactNode>('linkSent', {
          email: <StrongEmail key="email">{email}</StrongEmail>,
          minutes: RESET_MINUTES,
        })}
      </p>
    </AuthHead>
    <ButtonLink to={login} className="is-wide">
      {passwordText('openLogin')}
    </ButtonLink>
    <p className="auth-end">
      {passwordText.rich<ReactNode>('nothingThere', {
        pause: RESET_PAUSE_MINUTES,
        again: (label) => (
          <button className="link-button" type="button" key="again" onClick={onAgain}>
            {label}
          </button>
        ),
      })}
    </p>
  </>
);

export const ForgotPasswordPage = (): ReactNode => {
  usePageInfo({ pageName: 'forgot-password', pageTitle: passwordText('forgot'), pageDescription: '' });
  const config = useConfig();
  const [typed, remember] = useLoginEmail();
  const [email, setEmail] = useState(typed);
  const [isSent, setIsSent] = useState(false);
  const login = isFromAdminLogin(useLocation().state) ? paths.adminLogin : paths.login;
  const handleSent = (sentTo: string): void => {
    setEmail(sentTo);
    remember(sentTo);
    setIsSent(true);
  };
  return (
    <AuthLayout config={config} home={login} aside={<MarkedList />}>
      {isSent ? (
        <Sent email={email} login={login} onAgain={() => setIsSent(false)} />
      ) : (
        <>
          <AuthHead title={passwordText('forgot')}>
            <p>{passwordText('forgotIntroduction')}</p>
          </AuthHead>
          <ForgotForm email={email} onSent={handleSent} />
          <p className="auth-end">
            <Link to={login}>{passwordText('backToLogin')}</Link>
          </p>
        </>
      )}
    </AuthLayout>
  );
};

const Ended = (): ReactNode => (
  <>
    <AuthHead title={passwordText('linkEnded')}>
      <p>{passwordText('linkEndedText', { minutes: RESET_MINUTES })}</p>
    </AuthHead>
    <ButtonLink variant="primary" className="is-wide" to={paths.forgotPassword}>
      {passwordText('newLink')}
    </ButtonLink>
    <p className="auth-end">
      <Link to={paths.login}>{passwordText('backToLogin')}</Link>
    </p>
  </>
);

const Done = ({ isAdmin }: { isAdmin: boolean }): ReactNode => (
  <>
    <AuthHead title={passwordText('isNew')} isDone>
      <p>{passwordText('signedOut')}</p>
    </AuthHead>
    <ButtonLink variant="primary" className="is-wide" to={isAdmin ? paths.adminLogin : paths.login}>
      {passwordText('logIn')}
    </ButtonLink>
  </>
);

const LinkSkeleton = (): ReactNode => (
  <Skeleton label={passwordText('loadingLink')}>
    <SkeletonPanel />
  </Skeleton>
);

type Step = 'form' | 'done' | 'ended';

const Reset = ({ token }: { token: string | null }): ReactNode => {
  const { query, isEnded } = useLinkQuery('reset', token, (value) =>
    call(publicEndpoints.checkReset, { token: value }),
  );
  const form = useNewPassword();
  const [step, setStep] = useState<Step>('form');
  const handleDone = useCallback(() => setStep('done'), []);
  const handleEnded = useCallback(() => setStep('ended'), []);
  if (step === 'ended' || isEnded || token === null) return <Ended />;
  return (
    <QueryView query={query} skeleton={<LinkSkeleton />} errorTitle={passwordText('linkFailed')}>
      {({ data: { email, isAdmin } }) =>
        step === 'done' ? (
          <Done isAdmin={isAdmin} />
        ) : (
          <>
            <AuthHead title={passwordText('setNew')}>
              <p>
                {passwordText.rich<ReactNode>('setFor', {
                  email: <StrongEmail key="email">{email}</StrongEmail>,
                })}
              </p>
            </AuthHead>
            <NewPasswordForm
              form={form}
              owner={{ email }}
              label={passwordText('newPassword')}
              submitLabel={passwordText('save')}
              perform={({ password }) => call(publicEndpoints.resetPassword, { token, password })}
              onDone={handleDone}
              onEnded={handleEnded}
            />
          </>
        )
      }
    </QueryView>
  );
};

export const ResetPasswordPage = (): ReactNode => {
  usePageInfo({ pageName: 'reset-password', pageTitle: passwordText('setNew'), pageDescription: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.login} aside={<MarkedList />}>
      <Reset key={token} token={token} />
    </AuthLayout>
  );
};
