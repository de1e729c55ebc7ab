import type { PasskeyView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { PASSKEY_NAME_MAX } from '@shortlist/contracts/limits';
import Fingerprint from 'lucide-react/icons/fingerprint-pattern';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import { type ReactNode, useCallback, useId, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { shortDay } from '../../lib/dates.ts';
import { createPasskey, supportsPasskeys } from '../../lib/passkeys.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAreaToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { twoStepDevices, twoStepText } from '../../messages/security.ts';
import { controlText } from '../../messages/shell.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Line } from '../../ui/panel.tsx';
import { useFactors } from './two-step-panel.tsx';
import { ICON } from '../../ui/inline.tsx';

type Kind = keyof typeof MARKS;

/** The first match counts: iPads and Android phones name other systems too. */
const MARKS = {
  iphone: /iPhone/,
  ipad: /iPad/,
  android: /Android/,
  mac: /Macintosh/,
  windows: /Windows/,
  chromebook: /CrOS/,
  linux: /Linux/,
} as const;

/** The name of a new passkey, until the user renames it: the kind of this device. */
const newPasskeyName = (userAgent = navigator.userAgent): string => {
  const kinds = Object.keys(MARKS) as Kind[];
  return twoStepDevices(kinds.find((kind) => MARKS[kind].test(userAgent)) ?? 'other');
};

type PasskeyDialogProps = {
  passkey: PasskeyView;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
};

const RenameDialog = ({ passkey, onChanged, onClose }: PasskeyDialogProps): ReactNode => {
  const token = useAreaToken();
  const [name, setName] = useState(passkey.name);
  const form = useId();
  const { isBusy, failure, run } = useCommand(async (newName: string): Promise<void> => {
    await call(publicEndpoints.renamePasskey, { passkeyId: passkey.id, name: newName }, { token });
    await onChanged();
    onClose();
  });
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

const RemoveDialog = ({ passkey, onChanged, onClose }: PasskeyDialogProps): ReactNode => {
  const token = useAreaToken();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.removePasskey, { passkeyId: passkey.id }, { token });
    onClose();
    await onChanged();
  });
  return (
    <ConfirmDialog
      title={twoStepText('removeTitle')}
      confirmLabel={twoStepText('removeIt')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{twoStepText('removeText', { name: passkey.name })}</p>
    </ConfirmDialog>
  );
};

const useAddPasskey = (onChanged: () => Promise<unknown>) => {
  const token = useAreaToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    const { data: options } = await call(publicEndpoints.passkeyOptions, {}, { token });
    const passkey = await createPasskey(options);
    await call(publicEndpoints.addPasskey, { passkey, name: newPasskeyName() }, { token });
    await onChanged();
    dispatch(sessions.secondFactorSetUp('admin'));
  });
};

const AddPasskey = ({ onChanged }: { onChanged: () => Promise<unknown> }): ReactNode => {
  const { isBusy, failure, run } = useAddPasskey(onChanged);
  return (
    <>
      <Line title={twoStepText('passkeys')} note={twoStepText('passkeysNote')}>
        {supportsPasskeys() && (
          <Button isBusy={isBusy} onClick={() => void run()}>
            <Plus {...ICON} />
            {twoStepText('addPasskey')}
          </Button>
        )}
      </Line>
      {failure !== null && (
        <li>
          <FailureAlert failure={failure} />
        </li>
      )}
    </>
  );
};

const noteOf = ({ createdAt, lastUsedAt }: PasskeyView): string =>
  twoStepText('added', {
    day: shortDay(createdAt),
    used:
      lastUsedAt === null ? twoStepText('neverUsed') : twoStepText('usedOn', { day: shortDay(lastUsedAt) }),
  });

type PasskeyLineProps = { passkey: PasskeyView; onChanged: () => Promise<unknown> };

const PasskeyLine = ({ passkey, onChanged }: PasskeyLineProps): ReactNode => {
  const { name } = passkey;
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null);
  const close = useCallback(() => setDialog(null), []);
  return (
    <>
      <Line icon={<Fingerprint {...ICON} />} title={<bdi>{name}</bdi>} note={noteOf(passkey)}>
        <IconButton
          label={twoStepText('rename', { name })}
          icon={<Pencil {...ICON} />}
          onClick={() => setDialog('rename')}
        />
        <IconButton
          label={twoStepText('remove', { name })}
          icon={<Trash {...ICON} />}
          onClick={() => setDialog('remove')}
        />
      </Line>
      {dialog === 'rename' && <RenameDialog passkey={passkey} onChanged={onChanged} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog passkey={passkey} onChanged={onChanged} onClose={close} />}
    </>
  );
};

/** The lines of the passkeys in the panel about the sign-in. */
export const PasskeyLines = (): ReactNode => {
  const { data, mutate } = useFactors();
  return (
    <>
      <AddPasskey onChanged={mutate} />
      {data?.passkeys.map((passkey) => (
        <PasskeyLine key={passkey.id} passkey={passkey} onChanged={mutate} />
      ))}
    </>
  );
};
