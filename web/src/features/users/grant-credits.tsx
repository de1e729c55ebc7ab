import type { BucketRecord } from '@shortlist/contracts/api/credit-buckets';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { days } from '@shortlist/contracts/durations';
import { CREDIT_GRANT_REASON_MAX } from '@shortlist/contracts/limits';
import { dayOf } from '@shortlist/contracts/schemas/parts';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { now } from '../../lib/clock.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { userCreditsText } from '../../messages/users.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';

type DialogProps = { userId: string; onClose: () => void };

const useGrant = ({ userId, onClose }: DialogProps) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  // A second press after a lost response grants nothing twice.
  const [grantId] = useState(() => crypto.randomUUID());
  return useCommand(async (grant: { credits: number; lastDay: string; reason: string }): Promise<void> => {
    await call(publicEndpoints.grantCredits, { userId, grantId, ...grant }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(userCreditsText('granted', { credits: grant.credits })));
    onClose();
  });
};

/** Gives a user credits until the end of a day. */
export const GrantCreditsDialog = (props: DialogProps): ReactNode => {
  const [credits, setCredits] = useState('50');
  const [lastDay, setLastDay] = useState(() => dayOf(new Date(now() + days(30))));
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useGrant(props);
  const fields = failure?.fields ?? {};
  const amount = Number(credits);
  return (
    <ConfirmDialog
      title={userCreditsText('grantTitle')}
      confirmLabel={userCreditsText('grantButton', { credits: Number.isSafeInteger(amount) ? amount : 0 })}
      command={{ isBusy, failure, run: () => run({ credits: amount, lastDay, reason: reason.trim() }) }}
      isFailureAtField={Object.keys(fields).length > 0}
      onClose={props.onClose}
    >
      <p>{userCreditsText('grantNote')}</p>
      <TextField
        label={userCreditsText('credits')}
        inputMode="numeric"
        autoComplete="off"
        value={credits}
        error={fields['credits']}
        onChange={(event) => setCredits(event.target.value)}
      />
      <TextField
        label={userCreditsText('lastDay')}
        type="date"
        value={lastDay}
        error={fields['lastDay']}
        onChange={(event) => setLastDay(event.target.value)}
      />
      <TextField
        label={userCreditsText('reason')}
        help={userCreditsText('reasonHelp')}
        maxLength={CREDIT_GRANT_REASON_MAX}
        value={reason}
        error={fields['reason']}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};

/** Takes back what is left of a grant. */
export const RevokeCreditsDialog = ({
  userId,
  grant: { id, available },
  onClose,
}: DialogProps & { grant: BucketRecord }): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const command = useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.revokeCredits, { userId, grantId: id }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(userCreditsText('takenBack', { credits: data.credits - data.used })));
    onClose();
  });
  return (
    <ConfirmDialog
      title={userCreditsText('revokeTitle')}
      confirmLabel={userCreditsText('revokeButton', { credits: available })}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{userCreditsText('revokeNote')}</p>
    </ConfirmDialog>
  );
};
