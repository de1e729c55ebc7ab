import { FACTOR_REASON_MAX } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/controls.ts';
import { teamText } from '../../messages/team.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';

type ChangeDialogProps = {
  title: string;
  text: string;
  confirm: string;
  isBad?: boolean;
  needsReason?: boolean;
  perform: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

type ReasonProps = { reason: string; error: string | undefined; onChange: (reason: string) => void };

const Reason = ({ reason, error, onChange }: ReasonProps): ReactNode => (
  <TextField
    label={teamText('reason')}
    help={teamText('reasonHelp')}
    maxLength={FACTOR_REASON_MAX}
    data-autofocus
    value={reason}
    error={error}
    onChange={(event) => onChange(event.target.value)}
  />
);

type DialogEndProps = ChangeDialogProps & { isBusy: boolean; onConfirm: () => void };

const DialogEnd = (props: DialogEndProps): ReactNode => {
  const { confirm, isBad = false, needsReason = false, isBusy, onClose, onConfirm } = props;
  return (
    <>
      <Button data-autofocus={needsReason ? undefined : true} onClick={onClose}>
        {controlText('cancel')}
      </Button>
      <Button variant={isBad ? 'bad' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
};

/** A change of the team that an owner confirms, with a reason where one is kept. A failure is shown in the dialog. */
export const ChangeDialog = (props: ChangeDialogProps): ReactNode => {
  const { title, text, needsReason = false, perform, onClose } = props;
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useCommand(
    useCallback(
      async (input: string): Promise<void> => {
        await perform(input);
        await revalidate(['directory']);
        onClose();
      },
      [perform, onClose],
    ),
  );
  const reasonError = failure?.fields['reason'];
  return (
    <Dialog
      title={title}
      onClose={onClose}
      end={<DialogEnd {...props} isBusy={isBusy} onConfirm={() => void run(reason.trim())} />}
    >
      <div className="stack">
        <p>{text}</p>
        {needsReason && <Reason reason={reason} error={reasonError} onChange={setReason} />}
        {failure !== null && reasonError === undefined && <Alert tone="bad">{failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
