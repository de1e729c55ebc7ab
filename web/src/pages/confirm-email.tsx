// The pages of the links in the mails that confirm an address: the one of a sign-up, and the new one of an account.
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EMAIL_CHANGE_HOURS, VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { call } from '../lib/api/call.ts';
import { revalidate } from '../lib/data/use-query.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { useEmail } from '../lib/data/use-account.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo, useUserToken } from '../lib/state/hooks.tsx';
import { useResend } from '../lib/data/use-mail-again.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { isEndedLink, useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { StrongEmail } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';

const toAccount = (
  <ButtonLink variant="primary" to={paths.home}>
    {emailText('goToAccount')}
  </ButtonLink>
);

const verify = async (token: string): Promise<string> =>
  (await call(publicEndpoints.verifyEmail, { token })).data.email;

const Verified = ({ email }: { email: string }): ReactNode => (
  <>
    <AuthHead title={emailText('confirmed')} isDone>
      <p>
        <StrongEmail>{email}</StrongEmail>
      </p>
    </AuthHead>
    {toAccount}
  </>
);

const NewLink = ({ email }: { email: string }): ReactNode => {
  const [isSent, setIsSent] = useState(false);
  const { isBusy, run } = useResend(() => setIsSent(true));
  if (isSent)
    return (
      <p role="status">
        {emailText.rich<ReactNode>('sentAgain', { email: <StrongEmail key="email">{email}</StrongEmail> })}
      </p>
    );
  return (
    <Button variant="primary" isBusy={isBusy} onClick={() => void run(email)}>
      {emailText('sendNew')}
    </Button>
  );
};

/** A link that was followed twice has confirmed the address the first time. */
const VerificationEnded = (): ReactNode => {
  const account = useEmail();
  if (account?.isVerified) return <Verified email={account.email} />;
  return (
    <>
      <AuthHead title={emailText('ended')}>
        <p>
          {emailText('endedText', { hours: VERIFICATION_HOURS })}{' '}
          {account === undefined && emailText('logInForNew')}
        </p>
      </AuthHead>
      {account === undefined ? (
        <ButtonLink variant="primary" to={paths.login}>
          {emailText('logIn')}
        </ButtonLink>
      ) : (
        <NewLink email={account.email} />
      )}
    </>
  );
};

type LinkPageProps = {
  name: string;
  title: string;
  text: string;
  /** Confirms by the token of the link, and returns the address. */
  confirm: (token: string, session: string | null) => Promise<string>;
  ended: ReactNode;
  children: (email: string) => ReactNode;
};

/** A button, so that a program which opens the links of a mail, and runs the scripts of their pages, confirms nothing. */
const ConfirmButton = ({
  token,
  title,
  text,
  confirm,
  ended,
  children,
}: LinkPageProps & { token: string }) => {
  const session = useUserToken();
  const [email, setEmail] = useState<string | null>(null);
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    setEmail(await confirm(token, session));
    await revalidate(['profile']);
  });
  if (email !== null) return children(email);
  if (isEndedLink(failure)) return ended;
  return (
    <>
      <AuthHead title={title}>
        <p>{text}</p>
      </AuthHead>
      {failure !== null && <FailureAlert failure={failure} />}
      <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
        {emailText('confirm')}
      </Button>
    </>
  );
};

const LinkPage = (props: LinkPageProps): ReactNode => {
  usePageInfo({ pageName: props.name, pageTitle: props.title, pageDescription: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {token === null ? props.ended : <ConfirmButton key={token} token={token} {...props} />}
    </AuthLayout>
  );
};

export const VerifyEmailPage = (): ReactNode => (
  <LinkPage
    name="verify-email"
    title={emailText('confirmYours')}
    text={emailText('confirmYoursText')}
    confirm={verify}
    ended={<VerificationEnded />}
  >
    {(email) => <Verified email={email} />}
  </LinkPage>
);

const Changed = ({ email }: { email: string }): ReactNode => (
  <>
    <AuthHead title={emailText('changed')} isDone>
      <p>
        {emailText.rich<ReactNode>('changedNow', { email: <StrongEmail key="email">{email}</StrongEmail> })}
      </p>
    </AuthHead>
    {toAccount}
  </>
);

const ChangeEnded = (): ReactNode => (
  <>
    <AuthHead title={emailText('ended')}>
      <p>{emailText('changeEndedText', { hours: EMAIL_CHANGE_HOURS })}</p>
    </AuthHead>
    {toAccount}
  </>
);

const change = async (token: string, session: string | null): Promise<string> => {
  // With the token of the session, which stays if it is one of the account.
  const { data } = await call(publicEndpoints.confirmEmailChange, { token }, { token: session });
  return data.email;
};

export const ConfirmEmailPage = (): ReactNode => (
  <LinkPage
    name="confirm-email"
    title={emailText('confirmNew')}
    text={emailText('confirmNewText')}
    confirm={change}
    ended={<ChangeEnded />}
  >
    {(email) => <Changed email={email} />}
  </LinkPage>
);
