import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { ERRORS } from '@shortlist/contracts/errors';
import { UNSUBSCRIBE_REASON_MAX } from '@shortlist/contracts/limits';
import { fullName } from '@shortlist/contracts/full-name';
import type { UnsubscribeTime } from '@shortlist/contracts/schemas/plan';
import { type ReactNode, useState } from 'react';
import { ApiError, failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { longDay } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { usersText } from '../../messages/users.ts';
import { Pick } from '../../ui/choices.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';

type Subscription = UserView['subscription'];

/** What the plan does if the admin does nothing; a plan that renews has a choice instead. */
const unsubscribeOutlook = ({ continuation }: Subscription, day: string): string => {
  if (continuation === 'granted') return usersText('endsGranted', { day });
  return continuation === 'ends' ? usersText('endsByItself', { day }) : usersText('endsUnpaid');
};

const timesUntil = (day: string) =>
  [
    { value: 'now', label: usersText('now'), note: usersText('nowNote') },
    { value: 'period_end', label: usersText('onDay', { day }), note: usersText('onDayNote') },
  ] as const;

const unsubscribedText = (user: UserView): string => {
  const { premiumUntil } = user.subscription;
  if (user.plan === 'free' || premiumUntil === null) return usersText('nowFree');
  return usersText('staysPremium', { name: fullName(user), day: longDay(premiumUntil) });
};

/** The agreed text for every failure but the one that says what to do instead. */
const unsubscribeError = (thrown: unknown): ApiError => {
  const failure = failureOf(thrown);
  const isAdvice = failure.code === 'billing.period_not_paid';
  return new ApiError(isAdvice ? failure : { ...failure, message: ERRORS['billing.unsubscribe_failed'][1] });
};

type UnsubscribeInput = { when: UnsubscribeTime; reason: string };

export const useUnsubscribe = (userId: string, onDone: () => void) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async ({ when, reason }: UnsubscribeInput): Promise<void> => {
    // Without a body, as agreed, when the plan ends now and no reason is given.
    const choice = when === 'now' && reason === '' ? {} : { when, reason };
    const { data } = await call(publicEndpoints.revokePlan, { userId, ...choice }, { token }).catch(
      (thrown: unknown) => Promise.reject(unsubscribeError(thrown)),
    );
    await revalidate(['directory']);
    dispatch(toasts.added(unsubscribedText(data)));
    onDone();
  });
};

type UnsubscribeDialogProps = {
  user: UserView;
  command: ReturnType<typeof useUnsubscribe>;
  onClose: () => void;
};

/** Confirms the end of a plan: now, or at the end of a period that would renew. */
export const UnsubscribeDialog = ({ user, command, onClose }: UnsubscribeDialogProps): ReactNode => {
  const { subscription } = user;
  const renews = subscription.continuation === 'renews';
  const [choice, setChoice] = useState<UnsubscribeTime>('now');
  const when = renews ? choice : 'now';
  const [reason, setReason] = useState('');
  const until = subscription.premiumUntil === null ? '' : longDay(subscription.premiumUntil);
  const isNow = when === 'now';
  return (
    <ConfirmDialog
      title={usersText('unsubscribeThis', { name: fullName(user) })}
      cancelLabel={usersText('keepPremium')}
      confirmLabel={isNow ? usersText('endNow') : usersText('endOnDay', { day: until })}
      isBad={isNow}
      command={{ ...command, run: () => command.run({ when, reason: reason.trim() }) }}
      onClose={onClose}
    >
      {renews ? (
        <Pick legend={usersText('when')} options={timesUntil(until)} value={when} onChange={setChoice} />
      ) : (
        <p>{unsubscribeOutlook(subscription, until)}</p>
      )}
      <TextField
        label={usersText('reason')}
        qualifier={usersText('optional')}
        help={usersText('reasonHelp')}
        maxLength={UNSUBSCRIBE_REASON_MAX}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};
