import type { ReactNode } from 'react';
import { useEmail } from '../../lib/data/use-email.ts';
import { emailText } from '../../messages/email.ts';
import { securityText } from '../../messages/security.ts';
import { Line, Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { PasswordLine } from './password-line.tsx';

const EmailNote = ({ email, isVerified }: { email: string; isVerified: boolean }): ReactNode => (
  <>
    <bdi>{email}</bdi>
    {!isVerified && <> {emailText('unconfirmed')}</>}
  </>
);

export const SignInPanel = ({ email, children }: { email: string; children?: ReactNode }): ReactNode => {
  const isVerified = useEmail()?.isVerified ?? true;
  return (
    <Panel title={securityText('signIn')} isBare>
      <Lines>
        <Line title={securityText('email')} note={<EmailNote email={email} isVerified={isVerified} />} />
        <PasswordLine />
        {children}
      </Lines>
      {!isVerified && <ConfirmEmail />}
    </Panel>
  );
};
