import { useCallback, useState, type ReactNode } from 'react';
import { securityText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { Line, Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChangePassword } from './change-password.tsx';

export const SignInPanel = ({ email, children }: { email: string; children?: ReactNode }): ReactNode => {
  const [isChanging, setIsChanging] = useState(false);
  const handleClose = useCallback(() => setIsChanging(false), []);
  return (
    <Panel title={securityText('signIn')} isBare>
      <Lines>
        <Line title={securityText('email')} note={<bdi>{email}</bdi>} />
        <Line title={securityText('password')} note={securityText('passwordNote')}>
          <Button aria-label={securityText('changePassword')} onClick={() => setIsChanging(true)}>
            {securityText('change')}
          </Button>
        </Line>
        {children}
      </Lines>
      {isChanging && <ChangePassword onClose={handleClose} />}
    </Panel>
  );
};
