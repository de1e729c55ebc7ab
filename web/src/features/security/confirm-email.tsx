import { publicEndpoints } from '@shortlist/contracts/api/public';
import { MAILED_CODE_MINUTES } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { emailText } from '../../messages/email.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

const useConfirm = (pendingEmail: string | null) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const confirm = useCallback(
    async (code: string): Promise<void> => {
      if (pendingEmail === null) await call(publicEndpoints.verifyEmailCode, { code }, { token });
      else await call(publicEndpoints.confirmEmailChangeCode, { code }, { token });
      const text =
        pendingEmail === null ? emailText('confirmed') : emailText('changedNow', { email: pendingEmail });
      dispatch(toasts.added(text));
      await revalidate(['profile']);
    },
    [pendingEmail, token, dispatch],
  );
  return useCommand(confirm);
};

/** Confirms the address, or the new one of a change, by the code of the mail, for users who read it on another device. */
export const ConfirmEmail = ({ pendingEmail }: { pendingEmail: string | null }): ReactNode => {
  const [code, setCode] = useState('');
  const { isBusy, failure, run } = useConfirm(pendingEmail);
  return (
    <form
      className="confirm-email"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(code);
      }}
    >
      <TextField
        label={emailText('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        value={code}
        help={emailText('codeHelp', { minutes: MAILED_CODE_MINUTES })}
        error={failure === null ? undefined : (failure.fields['code'] ?? failure.message)}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        {emailText('confirm')}
      </Button>
    </form>
  );
};
