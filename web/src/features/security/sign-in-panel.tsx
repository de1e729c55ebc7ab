import type { ReactNode } from 'react';
import { useEmail } from '../../lib/data/use-email.ts';
import { securityText } from '../../messages/security.ts';
import { Lines, Panel } from '../../ui/panel.tsx';
import { ConfirmEmail, EmailLines } from './email-lines.tsx';
import { PasswordLine } from './change-password.tsx';

export const SignInPanel = ({ email, children }: { email: string; children?: ReactNode }): ReactNode => {
  const account = useEmail();
  const pendingEmail = account?.pendingEmail ?? null;
  const isVerified = account?.isVerified ?? true;
  return (
    <Panel title={securityText('signIn')} isBare>
      <Lines>
        <EmailLines email={email} />
        <PasswordLine />
        {children}
      </Lines>
      {(!isVerified || pendingEmail !== null) && <ConfirmEmail pendingEmail={pendingEmail} />}
    </Panel>
  );
};
