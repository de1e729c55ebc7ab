import type { UserView } from '@shortlist/contracts/api/public';
import { UNSUBSCRIBE_REASON_MAX } from '@shortlist/contracts/limits';
import type { UnsubscribeTime } from '@shortlist/contracts/schemas/unsubscribe';
import { useState, type ReactNode } from 'react';
import { longDay } from '../../lib/dates.ts';
import { useAfterSuccess } from '../../lib/state/use-after-success.ts';
import { useUserCommand } from '../../lib/state/use-user-command.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Pick } from '../../ui/pick.tsx';

type Subscription = UserView['subscription'];

const AT_ONCE = 'Premium and unused credits end at once. Nothing is refunded.';

/** What the plan does if the admin does nothing; a plan that renews has a choice instead. */
const outlookText = ({ continuation }: Subscription, until: string): string => {
  if (continuation === 'granted') return `An admin granted this plan. It ends by itself on ${until}.`;
  if (continuation === 'ends') return `This plan does not renew. It ends by itself on ${until}.`;
  return 'The last renewal has not been paid yet.';
};

const timesUntil = (until: string) =>
  [
    {
      value: 'period_end',
      label: `On ${until}`,
      note: 'Premium stays until then, and the subscription no longer renews.',
    },
    { value: 'now', label: 'Now', note: AT_ONCE },
  ] as const;

type UnsubscribeDialogProps = { user: UserView; onClose: () => void };

/** Confirms the end of a plan: now, or at the end of a period that would renew. */
export const UnsubscribeDialog = ({ user, onClose }: UnsubscribeDialogProps): ReactNode => {
  const { subscription } = user;
  const revoke = useUserCommand('revoke');
  const renews = subscription.continuation === 'renews';
  const [when, setWhen] = useState<UnsubscribeTime>(renews ? 'period_end' : 'now');
  const [reason, setReason] = useState('');
  useAfterSuccess(revoke, onClose);
  const until = subscription.premiumUntil === null ? '' : longDay(subscription.premiumUntil);
  const isNow = when === 'now';
  return (
    <Dialog
      title={`Unsubscribe ${user.firstName} ${user.lastName}?`}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            Keep Premium
          </Button>
          <Button
            variant={isNow ? 'bad' : 'primary'}
            isBusy={revoke.isBusy}
            onClick={() => revoke.run({ id: user.id, when, reason: reason.trim() })}
          >
            {isNow ? 'End Premium now' : `End on ${until}`}
          </Button>
        </>
      }
    >
      <div className="stack">
        {renews ? (
          <Pick legend="When Premium ends" options={timesUntil(until)} value={when} onChange={setWhen} />
        ) : (
          <p>
            {outlookText(subscription, until)} If you end it now: {AT_ONCE}
          </p>
        )}
        <TextField
          label="Reason"
          qualifier="optional"
          help="Kept in the audit log."
          maxLength={UNSUBSCRIBE_REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {revoke.failure !== null && <Alert tone="bad">{revoke.failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
