import type { Role } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { LogInReply } from '@shortlist/contracts/api/public-sessions';
import { useCallback, useSyncExternalStore, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { promptForPasskey, supportsPasskeys } from '../../lib/passkeys.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { sessionText } from '../../messages/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

type PasskeyLogInProps = { role: Role; onCompleted: (reply: LogInReply) => void };

/** Known in the browser alone: the log-in page is also rendered before. */
const usePasskeySupport = (): boolean =>
  useSyncExternalStore(
    () => () => undefined, // it does not change
    supportsPasskeys,
    () => false,
  );

/** A log-in without a password, where the browser has passkeys. */
export const PasskeyLogIn = ({ role, onCompleted }: PasskeyLogInProps): ReactNode => {
  const isSupported = usePasskeySupport();
  const { isBusy, failure, run } = useCommand(
    useCallback(async (): Promise<void> => {
      const { data } = await call(publicEndpoints.passkeyLogInOptions, {});
      const passkey = await promptForPasskey(data);
      onCompleted(await call(publicEndpoints.passkeyLogIn, { passkey, role }));
    }, [role, onCompleted]),
  );
  if (!isSupported) return null;
  return (
    <div className="auth-end auth-fields">
      {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      <Button className="is-wide" isBusy={isBusy} onClick={() => void run(undefined)}>
        {sessionText('usePasskey')}
      </Button>
    </div>
  );
};
