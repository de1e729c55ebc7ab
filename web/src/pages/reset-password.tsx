import { publicEndpoints } from '@shortlist/contracts/api/public';
import { RESET_MINUTES } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { MarkedList } from '../features/session/login-form.tsx';
import { type Failure, failureOf } from '../lib/api/api-error.ts';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import type { NewPasswordValues } from '../lib/form/password-rules.ts';
import { type Rules, useForm } from '../lib/form/use-form.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { useLinkToken } from '../lib/use-link-token.ts';
import { passwordText } from '../messages/password.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DoneMark, Email } from '../ui/inline.tsx';
import { NewPassword } from '../ui/new-password.tsx';
import { AuthLayout } from '../ui/page-frame.tsx';
import { Heading } from '../ui/page-header.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../ui/states.tsx';

const loadRules = async (): Promise<Rules<NewPasswordValues>> =>
  (await import('../lib/form/password-rules.ts')).newPasswordRules;

const EMPTY: NewPasswordValues = { password: '', passwordRepeat: '' };

type ResetFormProps = { token: string; email: string; onDone: () => void; onEnded: () => void };

/** The failures that the form shows above its fields; one about the password is shown at it. */
const isShownAbove = (failure: Failure | null): failure is Failure =>
  failure !== null && failure.fields['password'] === undefined;

/** Sets a new password with the token of a link. */
const ResetForm = ({ token, email, onDone, onEnded }: ResetFormProps): ReactNode => {
  const form = useForm({ initial: EMPTY, loadRules });
  const { setServerErrors, focusInvalid } = form;
  const { isBusy, failure, run } = useCommand(async ({ password }: NewPasswordValues): Promise<void> => {
    await call(publicEndpoints.resetPassword, { token, password });
    onDone();
  });
  useEffect(() => {
    if (failure === null) return;
    if (failure.code === 'identity.link_ended') return onEnded();
    setServerErrors(failure.fields);
    focusInvalid();
  }, [failure, onEnded, setServerErrors, focusInvalid]);
  return (
    <>
      {isShownAbove(failure) && <Alert tone="bad">{failure.message}</Alert>}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        {/* For password managers, which store the new password with the address. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword form={form} label={passwordText('newPassword')} />
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          {passwordText('save')}
        </Button>
      </form>
    </>
  );
};

const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

/** The address that a link is for. An incomplete link counts as one that has ended. */
const useReset = (token: string | null) => {
  const query = useSWR(
    token === null ? null : ['reset', token],
    () => call(publicEndpoints.checkReset, { token: token ?? '' }),
    ONCE,
  );
  const code = query.error === undefined ? null : failureOf(query.error).code;
  const isEnded = token === null || code === 'identity.link_ended' || code === 'request.invalid';
  return { query, isEnded };
};

const Ended = (): ReactNode => (
  <>
    <header className="auth-head">
      <Heading>{passwordText('linkEnded')}</Heading>
      <p>{passwordText('linkEndedText', { minutes: RESET_MINUTES })}</p>
    </header>
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
    <header className="auth-head" role="status">
      <DoneMark />
      <Heading>{passwordText('isNew')}</Heading>
      <p>{passwordText('signedOut')}</p>
    </header>
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
  const { query, isEnded } = useReset(token);
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
            <header className="auth-head">
              <Heading>{passwordText('setNew')}</Heading>
              <p>{passwordText.rich<ReactNode>('setFor', { email: <Email key="email">{email}</Email> })}</p>
            </header>
            <ResetForm token={token} email={email} onDone={handleDone} onEnded={handleEnded} />
          </>
        )
      }
    </QueryView>
  );
};

const ResetPasswordPage = (): ReactNode => {
  usePageInfo({ pageName: 'reset-password', pageTitle: passwordText('setNew'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.login} aside={<MarkedList />}>
      <Reset key={token} token={token} />
    </AuthLayout>
  );
};

export default ResetPasswordPage;
