import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { type DisplayedState, isTrial, type RenewalChange, STATES } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';

type Change = Exclude<RenewalChange, null>;

/** What the user can do with the renewal; nothing with one that Stripe would not resume. */
const changeOf = (state: DisplayedState, { canResume = false }: SubscriptionView): RenewalChange => {
  const { renewal } = STATES[state];
  return renewal === 'resume' && !canResume ? null : renewal;
};

const doneText = (change: Change, { plan, premiumUntil }: SubscriptionView): string => {
  if (change === 'resume') return billingText('resumedToast');
  return plan === 'premium' && premiumUntil !== null
    ? billingText('canceledToast', { day: shortDay(premiumUntil) })
    : billingText('endedToast');
};

const useChange = (change: Change, onDone: () => void) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    const when = change === 'cancelNow' ? 'now' : 'period_end';
    const { data } = await (
      change === 'resume'
        ? call(publicEndpoints.resumePlan, {}, { token })
        : call(publicEndpoints.cancelPlan, { when }, { token })
    ).finally(() => void revalidate(['subscription'])); // also after a failure: the plan on the screen may be outdated
    dispatch(toasts.added(doneText(change, data)));
    onDone();
  });
};

const dayOf = (date: string | null): string => (date === null ? '' : shortDay(date));

/** What the change means, with its day and its amount. */
const textOf = (change: Change, view: SubscriptionView): string => {
  const { plan, price, interval = 'month', periodEnd, premiumUntil, problem } = view;
  const amount = money(price.amount, price.currency);
  if (change === 'resume') return billingText('resumeText', { amount, interval, day: dayOf(periodEnd) });
  if (change === 'cancelNow') return billingText(plan === 'premium' ? 'cancelUnpaid' : 'cancelFree');
  const day = dayOf(premiumUntil);
  if (isTrial(view)) return billingText('cancelTrial', { day });
  const isPaused = problem?.kind === 'paused';
  return isPaused ? billingText('cancelPaused', { day }) : billingText('cancelText', { amount, day });
};

type DialogProps = { change: Change; view: SubscriptionView; onClose: () => void };

const RenewalDialog = ({ change, view, onClose }: DialogProps): ReactNode => {
  const command = useChange(change, onClose);
  const isResume = change === 'resume';
  const keep = view.plan === 'premium' ? 'keepPremium' : 'keepSubscription';
  return (
    <ConfirmDialog
      title={billingText(isResume ? 'resumeTitle' : 'cancelTitle')}
      cancelLabel={billingText(isResume ? 'notNow' : keep)}
      confirmLabel={billingText(isResume ? 'resumePlan' : 'cancelPlan')}
      isBad={!isResume}
      command={command}
      onClose={onClose}
    >
      <p>
        {textOf(change, view)} {!isResume && billingText('packsStay')}
      </p>
    </ConfirmDialog>
  );
};

/** Cancels a subscription, or resumes one that is canceled and has not ended. */
export const ChangeRenewal = ({
  state,
  view,
}: {
  state: DisplayedState;
  view: SubscriptionView;
}): ReactNode => {
  // The dialog keeps what it asks about, while the page behind it already shows the result.
  const [open, setOpen] = useState<{ change: Change; view: SubscriptionView } | null>(null);
  const change = changeOf(state, view);
  const close = (): void => setOpen(null);
  return (
    <>
      {change !== null && (
        <Button
          variant={change === 'resume' ? 'primary' : 'plain'}
          className={change === 'resume' ? '' : 'is-destructive'}
          onClick={() => setOpen({ change, view })}
        >
          {billingText(change === 'resume' ? 'resumePlan' : 'cancelPlan')}
        </Button>
      )}
      {open !== null && <RenewalDialog {...open} onClose={close} />}
    </>
  );
};
