import { useCallback, useState, type ReactNode } from 'react';
import { useEmail } from '../../lib/data/use-email.ts';
import { emailText } from '../../messages/email.ts';
import { securityText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { Line, Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { ChangePassword } from './change-password.tsx';

const EmailNote = ({ email, isVerified }: { email: string; isVerified: boolean }): ReactNode => (
  <>
    <bdi>{email}</bdi>
    {!isVerified && <> {emailText('unconfirmed')}</>}
  </>
);

export const SignInPanel = ({ email, children }: { email: string; children?: ReactNode }): ReactNode => {
  const isVerified = useEmail()?.isVerified ?? true;
  const [isChanging, setIsChanging] = useState(false);
  const handleClose = useCallback(() => setIsChanging(false), []);
  return (
    <Panel title={securityText('signIn')} isBare>
      <Lines>
        <Line title={securityText('email')} note={<EmailNote email={email} isVerified={isVerified} />} />
        <Line title={securityText('password')} note={securityText('passwordNote')}>
          <Button aria-label={securityText('changePassword')} onClick={() => setIsChanging(true)}>
            {securityText('change')}
          </Button>
        </Line>
        {children}
      </Lines>
      {!isVerified && <ConfirmEmail />}
      {isChanging && <ChangePassword onClose={handleClose} />}
    </Panel>
  );
};
