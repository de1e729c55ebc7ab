import { useCallback, useState, type ReactNode } from 'react';
import { securityText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { Line } from '../../ui/lines.tsx';
import { ChangePassword } from './change-password.tsx';

/** The password of the account, with the dialog that changes it. */
export const PasswordLine = (): ReactNode => {
  const [isChanging, setIsChanging] = useState(false);
  const handleClose = useCallback(() => setIsChanging(false), []);
  return (
    <Line title={securityText('password')} note={securityText('passwordNote')}>
      <Button aria-label={securityText('changePassword')} onClick={() => setIsChanging(true)}>
        {securityText('change')}
      </Button>
      {isChanging && <ChangePassword onClose={handleClose} />}
    </Line>
  );
};
