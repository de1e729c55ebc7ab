import type { UserView } from '@shortlist/contracts/api/public';
import { UNSUBSCRIBE_REASON_MAX } from '@shortlist/contracts/limits';
import type { UnsubscribeTime } from '@shortlist/contracts/schemas/admin';
import { useState, type ReactNode } from 'react';
import { longDay } from '../../lib/dates.ts';
import { useAfterSuccess } from '../../lib/state/use-after-success.ts';
import { useUserCommand } from '../../lib/state/use-user-command.ts';
import { usersText } from '../../messages/users.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Pick } from '../../ui/pick.tsx';

type Subscription = UserView['subscription'];

/** What the plan does if the admin does nothing; a plan that renews has a choice instead. */
const outlookText = ({ continuation }: Subscription, day: string): string => {
  if (continuation === 'granted') return usersText('endsGranted', { day });
  return continuation === 'ends' ? usersText('endsByItself', { day }) : usersText('endsUnpaid');
};

const timesUntil = (day: string) =>
  [
    { value: 'period_end', label: usersText('onDay', { day }), note: usersText('onDayNote') },
    { value: 'now', label: usersText('now'), note: usersText('nowNote') },
  ] as const;

type UnsubscribeDialogProps = { user: UserView; onClose: () => void };

/** Confirms the end of a plan: now, or at the end of a period that would renew. */
export const UnsubscribeDialog = ({ user, onClose }: UnsubscribeDialogProps): ReactNode => {
  const { subscription } = user;
  const revoke = useUserCommand('revoke');
  const renews = subscription.continuation === 'renews';
  const [choice, setChoice] = useState<UnsubscribeTime>('period_end');
  const when = renews ? choice : 'now';
  const [reason, setReason] = useState('');
  useAfterSuccess(revoke, onClose);
  const until = subscription.premiumUntil === null ? '' : longDay(subscription.premiumUntil);
  const isNow = when === 'now';
  return (
    <Dialog
      title={usersText('unsubscribeThis', { name: `${user.firstName} ${user.lastName}` })}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            {usersText('keepPremium')}
          </Button>
          <Button
            variant={isNow ? 'bad' : 'primary'}
            isBusy={revoke.isBusy}
            onClick={() => revoke.run({ id: user.id, when, reason: reason.trim() })}
          >
            {isNow ? usersText('endNow') : usersText('endOnDay', { day: until })}
          </Button>
        </>
      }
    >
      <div className="stack">
        {renews ? (
          <Pick legend={usersText('when')} options={timesUntil(until)} value={when} onChange={setChoice} />
        ) : (
          <p>{outlookText(subscription, until)}</p>
        )}
        <TextField
          label={usersText('reason')}
          qualifier={usersText('optional')}
          help={usersText('reasonHelp')}
          maxLength={UNSUBSCRIBE_REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {revoke.failure !== null && <Alert tone="bad">{revoke.failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
