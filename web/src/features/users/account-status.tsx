import { readableEmail } from '@shortlist/contracts/unicode';
import type { CreditPack, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { AccountStatus } from '@shortlist/contracts/api/directory';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Suppression } from '@shortlist/contracts/api/email';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortTime, shortDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { May, useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { STATES, subscriptionState } from '../../lib/subscription.rules.ts';
import { textOf } from '../../lib/subscription-text.ts';
import { packText, suppressionText, supportText } from '../../messages/users.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { SUPPORT, supportLine } from './support.rules.ts';

/** Why a user cannot log in or pay. */
export const useAccountStatus = (id: string) => useQuery('directory', publicEndpoints.accountStatus, { id });

/** What a grant would do to a payment that can still come; null if there is none. Undefined while that is not known. */
export const useGrantWarning = (id: string): string | null | undefined => {
  const { data, error } = useAccountStatus(id);
  if (data === undefined) return error === undefined ? undefined : supportText('unknown_warning');
  const { warning } = SUPPORT[subscriptionState(data.subscription)];
  return warning === null ? null : supportLine(warning, '');
};

const dayOf = (iso: string | null): string => (iso === null ? '' : shortDay(iso));

/** What the user reads on Subscription Status and in the bar. */
const userText = (view: SubscriptionView): string => {
  const { headline, trouble, next } = STATES[subscriptionState(view)];
  const texts = [headline, trouble === headline ? null : trouble, next].map((key) => textOf(key, view));
  const sentences = texts.filter((text) => text !== '').map((text) => text.replace(/\.$/, ''));
  return `${sentences.join('. ')}.`;
};

const Point = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div>
    <dt>
      <strong>{title}</strong>
    </dt>
    <dd>{children}</dd>
  </div>
);

const lineOf = ({ credits, paidCredits, paidAt, amount, currency, state }: CreditPack): string =>
  packText(state, {
    day: shortDay(paidAt),
    credits,
    amount: money(amount, currency),
    paid: paidCredits,
  });

const PlanStatus = ({ view, packs }: { view: SubscriptionView; packs: CreditPack[] }): ReactNode => {
  const { next, advice } = SUPPORT[subscriptionState(view)];
  const since = view.problem?.since ?? null;
  return (
    <>
      <p>{supportText('userSees', { text: userText(view) })}</p>
      {since !== null && <p className="small muted">{supportText('since', { day: shortTime(since) })}</p>}
      <dl className="stack">
        {next !== null && (
          <Point title={supportText('next')}>
            {supportLine(
              next,
              dayOf(view.renewsUntil ?? view.premiumUntil),
              dayOf(view.problem?.resumesAt ?? null),
            )}
          </Point>
        )}
        {advice !== null && <Point title={supportText('advice')}>{supportLine(advice, '')}</Point>}
        {packs.length > 0 && (
          <Point title={packText('packs')}>
            <ul>
              {packs.map((pack) => (
                <li key={pack.packId}>{lineOf(pack)}</li>
              ))}
            </ul>
          </Point>
        )}
      </dl>
    </>
  );
};

/** What the user reads of the subscription, since when, what happens next, what support can do, and which packs were bought. */
export const SubscriptionStatus = ({ id }: { id: string }): ReactNode => {
  const { data, error } = useAccountStatus(id);
  if (data !== undefined) return <PlanStatus view={data.subscription} packs={data.packs} />;
  return error === undefined ? null : <p>{supportText('unknown')}</p>;
};

const unverifiedText = ({ blocksCheckout, confirmBy }: AccountStatus): string =>
  [
    supportText(blocksCheckout ? 'unverifiedCheckout' : 'unverified'),
    ...(confirmBy === null ? [] : [supportText('confirmBy', { day: shortDay(confirmBy) })]),
    supportText('unverifiedAdvice'),
  ].join(' ');

const useRetry = (id: string) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.retryUserEmail, { id }, { token });
    dispatch(toasts.added(suppressionText('triedAgain')));
    await revalidate(['directory']);
  });
};

type SuppressionProps = { id: string; suppression: Suppression };

/** Why mails do not reach the user, with the way to have them sent again. */
const SuppressionNotice = ({ id, suppression: { kind, email, at, reason } }: SuppressionProps): ReactNode => {
  const { isBusy, failure, run } = useRetry(id);
  return (
    <Alert tone="warn">
      <div className="stack stack-s">
        <p>
          {suppressionText(kind, {
            email: readableEmail(email),
            day: shortDay(at),
            reason: reason || 'none',
          })}{' '}
          {suppressionText('advice')}
        </p>
        <May permission="users.edit">
          <Button isSmall isBusy={isBusy} onClick={() => void run()}>
            {suppressionText('tryAgain')}
          </Button>
        </May>
        {failure !== null && <FailureAlert failure={failure} />}
      </div>
    </Alert>
  );
};

/** What keeps the user from logging in, from subscribing, apart from the payment, or from reading mails. */
export const AccountNotices = ({ id }: { id: string }): ReactNode => {
  const { data } = useAccountStatus(id);
  if (data === undefined) return null;
  const { isVerified, lockedUntil, suppression } = data;
  return (
    <>
      {suppression && <SuppressionNotice id={id} suppression={suppression} />}
      {!isVerified && <Alert tone="warn">{unverifiedText(data)}</Alert>}
      {lockedUntil !== null && (
        <Alert tone="warn">{supportText('locked', { time: shortTime(lockedUntil) })}</Alert>
      )}
    </>
  );
};
