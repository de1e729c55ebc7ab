import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { Profile, UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/messages';
import { ERRORS } from '@shortlist/contracts/errors';
import { UNSUBSCRIBE_REASON_MAX } from '@shortlist/contracts/limits';
import type { GrantInput, UnsubscribeTime } from '@shortlist/contracts/plan';
import { type ReactNode, useCallback, useState } from 'react';
import { ApiError, failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { useGrantDay } from '../../lib/grant-days.ts';
import { money } from '../../lib/money.ts';
import { May, useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { subscriptionState } from '../../lib/subscription.rules.ts';
import { usersText } from '../../messages/users.ts';
import { Button } from '../../ui/button.tsx';
import { Pick } from '../../ui/choices.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SUPPORT, supportLine } from './support.rules.ts';

type PlanProps = { user: Profile; view: SubscriptionView };

/** A change of the plan, which returns what it did, and the dialog that confirms it. */
const usePlanDialog = <Input,>(change: (input: Input, token: string | null) => Promise<string>) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const command = useCommand(async (input: Input): Promise<void> => {
    const done = await change(input, token);
    await revalidate(['directory']);
    dispatch(toasts.added(done));
    close();
  });
  const open = (): void => {
    command.dismiss();
    setIsOpen(true);
  };
  return { isOpen, open, close, command };
};

type DialogProps<Input> = PlanProps & {
  command: ReturnType<typeof usePlanDialog<Input>>['command'];
  onClose: () => void;
};

type ReasonFieldProps = { value: string; onChange: (value: string) => void };

const ReasonField = ({ value, onChange }: ReasonFieldProps): ReactNode => (
  <TextField
    label={usersText('reason')}
    qualifier={usersText('optional')}
    help={usersText('reasonHelp')}
    maxLength={UNSUBSCRIBE_REASON_MAX}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** An empty reason is left out. */
const reasonOf = (typed: string): { reason?: string } =>
  typed.trim() === '' ? {} : { reason: typed.trim() };

/** Confirms a grant: until when, for which reason, and in spite of a payment that can still come. */
const GrantDialog = ({ user, view, command, onClose }: DialogProps<GrantInput>): ReactNode => {
  const { field, until } = useGrantDay();
  const [reason, setReason] = useState('');
  const { warning } = SUPPORT[subscriptionState(view)];
  const run = async (): Promise<void> => {
    if (until !== null) await command.run({ until, ...reasonOf(reason) });
  };
  return (
    <ConfirmDialog
      title={usersText('grantTitle', { name: fullName(user) })}
      confirmLabel={usersText(warning === null ? 'grantPremium' : 'grantAnyway')}
      command={{ ...command, run }}
      onClose={onClose}
    >
      {warning !== null && <p>{supportLine(warning, '')}</p>}
      <p>{usersText('grantNote')}</p>
      <TextField {...field} />
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
};

const GrantPremium = (props: PlanProps): ReactNode => {
  const { isOpen, open, close, command } = usePlanDialog(async (grant: GrantInput, token) => {
    const { data } = await call(publicEndpoints.grantPlan, { userId: props.user.id, ...grant }, { token });
    return usersText('nowPremium', { name: fullName(data) });
  });
  return (
    <>
      {props.view.plan === 'free' && (
        <Button className="is-wide" isBusy={command.isBusy} onClick={open}>
          {usersText('grant')}
        </Button>
      )}
      {isOpen && <GrantDialog {...props} command={command} onClose={close} />}
    </>
  );
};

type ResumeInput = { reason?: string };

/** Confirms that the subscription renews again: when, and for how much. */
const ResumeDialog = ({ user, view, command, onClose }: DialogProps<ResumeInput>): ReactNode => {
  const [reason, setReason] = useState('');
  const { interval = 'month', price, periodEnd } = view;
  return (
    <ConfirmDialog
      title={usersText('resumeTitle', { name: fullName(user) })}
      confirmLabel={usersText('resumeButton')}
      command={{ ...command, run: () => command.run(reasonOf(reason)) }}
      onClose={onClose}
    >
      <p>
        {usersText('resumeText', {
          amount: money(price.amount, price.currency),
          interval,
          day: periodEnd === null ? '' : shortDay(periodEnd),
        })}
      </p>
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
};

const Resume = ({ user, view }: PlanProps): ReactNode => {
  // The dialog keeps what it asks about, while the page behind it already shows the result.
  const [asked, setAsked] = useState(view);
  const { isOpen, open, close, command } = usePlanDialog(async (input: ResumeInput, token) => {
    await call(publicEndpoints.resumeUserPlan, { userId: user.id, ...input }, { token });
    return usersText('resumed', { name: fullName(user) });
  });
  const handleOpen = (): void => {
    setAsked(view);
    open();
  };
  return (
    <>
      {view.canResume === true && view.periodEnd !== null && (
        <Button className="is-wide" isBusy={command.isBusy} onClick={handleOpen}>
          {usersText('resume')}
        </Button>
      )}
      {isOpen && <ResumeDialog user={user} view={asked} command={command} onClose={close} />}
    </>
  );
};

/** Says when the plan ends if the admin does nothing; of a plan that renews, the admin chooses. */
const endOfPlan = ({ continuation }: SubscriptionView, day: string): string => {
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
  return usersText('staysPremium', { name: fullName(user), day: shortDay(premiumUntil) });
};

/** The agreed text for every failure but the one that says what to do instead. */
const unsubscribeError = (thrown: unknown): ApiError => {
  const failure = failureOf(thrown);
  const isAdvice = failure.code === 'billing.period_not_paid';
  return new ApiError(isAdvice ? failure : { ...failure, message: ERRORS['billing.unsubscribe_failed'][1] });
};

type UnsubscribeInput = { when: UnsubscribeTime; reason: string };

/** Confirms the end of a plan: now, or at the end of a period that would renew. */
const UnsubscribeDialog = ({ user, view, command, onClose }: DialogProps<UnsubscribeInput>): ReactNode => {
  const renews = view.continuation === 'renews';
  const [choice, setChoice] = useState<UnsubscribeTime>('now');
  const when = renews ? choice : 'now';
  const [reason, setReason] = useState('');
  const until = view.premiumUntil === null ? '' : shortDay(view.premiumUntil);
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
        <p>{endOfPlan(view, until)}</p>
      )}
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
};

const Unsubscribe = (props: PlanProps): ReactNode => {
  const { isOpen, open, close, command } = usePlanDialog(async (input: UnsubscribeInput, token) => {
    // Without a body, as agreed, when the plan ends now and no reason is given.
    const choice = input.when === 'now' && input.reason === '' ? {} : input;
    const { data } = await call(
      publicEndpoints.revokePlan,
      { userId: props.user.id, ...choice },
      { token },
    ).catch((thrown: unknown) => Promise.reject(unsubscribeError(thrown)));
    return unsubscribedText(data);
  });
  return (
    <>
      {props.view.plan !== 'free' && (
        <Button className="is-wide is-destructive" isBusy={command.isBusy} onClick={open}>
          {usersText('unsubscribe')}
        </Button>
      )}
      {isOpen && <UnsubscribeDialog {...props} command={command} onClose={close} />}
    </>
  );
};

/** Grants, resumes or ends premium. A dialog that is open stays when the plan changes meanwhile. */
export const PlanActions = (props: PlanProps): ReactNode => (
  <>
    <May permission="plan.grant">
      <GrantPremium {...props} />
      <Resume {...props} />
    </May>
    <May permission="plan.revoke">
      <Unsubscribe {...props} />
    </May>
  </>
);
