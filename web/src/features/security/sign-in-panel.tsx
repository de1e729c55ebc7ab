import type { ReactNode } from 'react';
import { useEmail } from '../../lib/data/use-email.ts';
import { securityText } from '../../messages/security.ts';
import { Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { EmailLines } from './email-lines.tsx';
import { PasswordLine } from './password-line.tsx';

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
