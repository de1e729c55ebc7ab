import type { UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/messages';
import { ERRORS } from '@shortlist/contracts/errors';
import { FREE_WINDOW_DAYS, UNSUBSCRIBE_REASON_MAX } from '@shortlist/contracts/limits';
import type { UnsubscribeTime } from '@shortlist/contracts/plan';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { type ReactNode, useState } from 'react';
import { ApiError, failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { daysAfter, shortDay, tableDate } from '../../lib/dates.ts';
import { providerPage } from '../../lib/paths.ts';
import { May, useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { usersText } from '../../messages/users.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Pick } from '../../ui/choices.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge, ExternalLink, ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SubscriptionStatus, useGrantWarning } from './account-status.tsx';

const useGrant = (userId: string, onDone: () => void) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.grantPlan, { userId }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(usersText('nowPremium', { name: fullName(data) })));
    onDone();
  });
};

/** Grants a month, after a warning if a payment can still come for the same time. */
const GrantButton = ({ user }: { user: UserView }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const warning = useGrantWarning(user.id);
  const command = useGrant(user.id, close);
  const { isBusy, failure, run, dismiss } = command;
  const handleClick = (): void => {
    dismiss();
    if (warning === null) void run();
    else setIsOpen(true);
  };
  return (
    <>
      {failure !== null && !isOpen && (
        <Alert tone="bad" onDismiss={dismiss}>
          {failure.message}
        </Alert>
      )}
      <Button className="is-wide" isBusy={isBusy || warning === undefined} onClick={handleClick}>
        {usersText('grant')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={usersText('grantTitle', { name: fullName(user) })}
          confirmLabel={usersText('grantAnyway')}
          command={command}
          onClose={close}
        >
          <p>{warning}</p>
        </ConfirmDialog>
      )}
    </>
  );
};

type Subscription = UserView['subscription'];

/** Says when the plan ends if the admin does nothing; of a plan that renews, the admin chooses. */
const endOfPlan = ({ continuation }: Subscription, day: string): string => {
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

const useUnsubscribe = (userId: string, onDone: () => void) => {
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
const UnsubscribeDialog = ({ user, command, onClose }: UnsubscribeDialogProps): ReactNode => {
  const { subscription } = user;
  const renews = subscription.continuation === 'renews';
  const [choice, setChoice] = useState<UnsubscribeTime>('now');
  const when = renews ? choice : 'now';
  const [reason, setReason] = useState('');
  const until = subscription.premiumUntil === null ? '' : shortDay(subscription.premiumUntil);
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
        <p>{endOfPlan(subscription, until)}</p>
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

const UnsubscribeButton = ({ user }: { user: UserView }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const command = useUnsubscribe(user.id, close);
  const handleOpen = (): void => {
    command.dismiss();
    setIsOpen(true);
  };
  return (
    <>
      <Button className="is-wide is-destructive" isBusy={command.isBusy} onClick={handleOpen}>
        {usersText('unsubscribe')}
      </Button>
      {isOpen && <UnsubscribeDialog user={user} command={command} onClose={close} />}
    </>
  );
};

const CustomerLink = ({ customerId }: { customerId: string }): ReactNode => {
  const { links } = useConfig();
  return (
    <ExternalLink className="button is-wide" href={providerPage(links.provider, 'customers', customerId)}>
      {usersText('openCustomer')}
      <ArrowUpRight {...ICON} />
    </ExternalLink>
  );
};

/** Grants or ends premium, and leads to the user's customer at the payment provider. */
const PlanActions = ({ user, isPremium }: { user: UserView; isPremium: boolean }): ReactNode => (
  <>
    <May permission={isPremium ? 'plan.revoke' : 'plan.grant'}>
      {isPremium ? <UnsubscribeButton user={user} /> : <GrantButton user={user} />}
    </May>
    {user.stripe_customer_id !== null && <CustomerLink customerId={user.stripe_customer_id} />}
  </>
);

/** Without dates of the subscription, the start is the last credit reset and the end 30 days later. Source: docs/product.md. */
const datesOf = ({ subscription, last_credit_reset: reset }: UserView): { start: string; end: string } => {
  const start = subscription.startDate ?? reset;
  const end = subscription.endDate ?? (start === null ? null : daysAfter(start, FREE_WINDOW_DAYS));
  const format = (date: string | Date | null): string =>
    date === null ? usersText('notSet') : tableDate(date);
  return { start: format(start), end: format(end) };
};

export const SubscriptionInformation = ({ user }: { user: UserView }): ReactNode => {
  const { start, end } = datesOf(user);
  // For display, every plan but free is premium. Source: docs/product.md, S7.
  const isPremium = user.plan !== 'free';
  return (
    <Panel title={usersText('subscription')} isBare>
      <table className="pair-table num">
        <tbody>
          <tr>
            <th scope="row">{usersText('startDate')}</th>
            <td>{start}</td>
          </tr>
          <tr>
            <th scope="row">{usersText('endDate')}</th>
            <td>{end}</td>
          </tr>
          <tr>
            <th scope="row">{usersText('status')}</th>
            <td>
              <Badge tone={isPremium ? 'premium' : undefined}>
                {usersText(isPremium ? 'premium' : 'free')}
              </Badge>
            </td>
          </tr>
        </tbody>
      </table>
      <div className="panel-body stack">
        <SubscriptionStatus id={user.id} />
        <PlanActions user={user} isPremium={isPremium} />
      </div>
    </Panel>
  );
};
