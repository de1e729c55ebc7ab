import type { PasskeyView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { PASSKEY_NAME_MAX } from '@shortlist/contracts/limits';
import { useCallback, useId, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/controls.ts';
import { twoStepText } from '../../messages/two-step.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAreaToken } from './use-factors.ts';

type RenameDialogProps = {
  passkey: PasskeyView;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
};

export const RenameDialog = ({ passkey, onChanged, onClose }: RenameDialogProps): ReactNode => {
  const token = useAreaToken();
  const [name, setName] = useState(passkey.name);
  const form = useId();
  const { isBusy, failure, run } = useCommand(
    useCallback(
      async (newName: string): Promise<void> => {
        await call(publicEndpoints.renamePasskey, { passkeyId: passkey.id, name: newName }, { token });
        await onChanged();
        onClose();
      },
      [passkey.id, token, onChanged, onClose],
    ),
  );
  return (
    <Dialog
      title={twoStepText('renameTitle')}
      onClose={onClose}
      end={
        <>
          <Button onClick={onClose}>{controlText('cancel')}</Button>
          <Button variant="primary" type="submit" form={form} isBusy={isBusy}>
            {twoStepText('save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(name.trim());
        }}
      >
        <TextField
          label={twoStepText('name')}
          maxLength={PASSKEY_NAME_MAX}
          data-autofocus
          value={name}
          error={failure === null ? undefined : (failure.fields['name'] ?? failure.message)}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
};
