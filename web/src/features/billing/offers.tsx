import type { CreditsView } from '@shortlist/contracts/api/credits';
import type { PackOffer, Price } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { Interval, Plan } from '@shortlist/contracts/plan';
import { type ReactNode, useEffect, useState } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { useCredits } from '../../lib/data/use-plan.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { money, shortPrice } from '../../lib/money.ts';
import { useAppSelector, useUserToken } from '../../lib/state/hooks.tsx';
import { useResend } from '../../lib/data/use-mail-again.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { billingText } from '../../messages/billing.ts';
import { emailText } from '../../messages/email.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Choices } from '../../ui/choices.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Meter } from '../../ui/meter.tsx';
import { isSettled } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import Check from 'lucide-react/icons/check';
import Plus from 'lucide-react/icons/plus';

/** Nothing is paid before the checkout is open, whatever the provider's failure means elsewhere. */
const checkoutMessage = ({ code, message }: Failure): string =>
  code === 'billing.provider_unavailable' ? billingText('notCharged') : message;

/** Until the address is confirmed, the mail can be sent again from here. */
const CheckoutFailure = ({ failure, email }: { failure: Failure; email: string }): ReactNode => {
  const resend = useResend();
  return (
    <Alert tone="bad">
      {checkoutMessage(failure)}{' '}
      {failure.code === 'identity.email_unverified' && (
        <Button isSmall isBusy={resend.isBusy} onClick={() => void resend.run(email)}>
          {emailText('sendAgain')}
        </Button>
      )}
    </Alert>
  );
};

const PLAN = { limit: FREE_CREDITS, days: FREE_WINDOW_DAYS };

const usageText = ({ used, windowEnd }: CreditsView): string =>
  windowEnd === null
    ? billingText('freeUsed', { ...PLAN, used })
    : billingText('freeUsedUntil', { ...PLAN, used, day: shortDay(windowEnd) });

/** As high as the text and the meter that replace it. */
const UsageSkeleton = (): ReactNode => (
  <Skeleton label={billingText('loadingFree')}>
    <Bar height="1lh" />
    <Bar height="2rem" />
  </Skeleton>
);

const Usage = (): ReactNode => {
  const credits = useCredits();
  const { data } = credits;
  if (data?.plan === 'free')
    return (
      <>
        <p className="num">{usageText(data)}</p>
        <Meter label={billingText('freeMeter')} value={data.used} max={FREE_CREDITS} />
      </>
    );
  if (!isSettled(credits)) return <UsageSkeleton />;
  return <p className="num">{billingText(data === undefined ? 'freeUnknown' : 'free', PLAN)}</p>;
};

/** The free plan's credits and their usage. */
export const FreeCredits = (): ReactNode => (
  <section className="panel credit-panel is-beside-plan" aria-labelledby="free-credits">
    <div className="panel-body">
      <h2 id="free-credits">{billingText('freePlan')}</h2>
      <Usage />
    </div>
  </section>
);

const FEATURES = [
  [billingText('agent'), billingText('agentText')],
  [billingText('crm'), billingText('crmText')],
  [billingText('extension'), billingText('extensionText')],
  [billingText('finder', { credits: PREMIUM_CREDITS }), billingText('finderText')],
] as const;

const OUTDATED = new Set<string>([
  'billing.already_subscribed',
  'billing.payment_open',
  'billing.payment_processing',
  'billing.subscription_paused',
  'billing.other_subscription',
] satisfies ErrorCode[]);

/** Creates a checkout session and navigates to it. */
const useCheckout = () => {
  const token = useUserToken();
  const browser = useBrowser();
  return useCommand(async ({ email, interval }: { email: string; interval: Interval }): Promise<void> => {
    // A month is what every release sells without being asked.
    const input = interval === 'month' ? { email } : { email, interval };
    const { url } = await call(publicEndpoints.subscribe, input, { token });
    browser.assign(url);
  });
};

const Features = (): ReactNode => (
  <ul className="feature-list">
    {FEATURES.map(([feature, description]) => (
      <li key={feature}>
        <Check {...ICON} />
        <span>
          <strong>{feature}</strong> {description}
        </span>
      </li>
    ))}
  </ul>
);

const INTERVALS = [
  ['month', billingText('monthly')],
  ['year', billingText('yearly')],
] as const;

type Prices = { monthly: Price | null; yearly: Price | null };

/** What a year saves, if it does. As high before the prices are loaded. */
const Savings = ({ monthly, yearly }: Prices): ReactNode => {
  if (monthly === null)
    return (
      <p className="small">
        <Bar width="12rem" height="1lh" />
      </p>
    );
  const saved = yearly?.currency === monthly.currency ? 12 * monthly.amount - yearly.amount : 0;
  if (saved <= 0) return null;
  const amount = shortPrice({ amount: saved, currency: monthly.currency });
  return <p className="small num">{billingText('saves', { amount })}</p>;
};

type IntervalChoiceProps = Prices & { interval: Interval; onChoose: (interval: Interval) => void };

/** The choice between months and a year. */
const IntervalChoice = ({ interval, onChoose, ...prices }: IntervalChoiceProps): ReactNode => (
  <div className="stack">
    <Choices
      label={billingText('howToPay')}
      choices={INTERVALS}
      columns={2}
      isChosen={(value) => value === interval}
      onChoose={onChoose}
    />
    <Savings {...prices} />
  </div>
);

const OF_INTERVAL = {
  month: { name: 'monthlyPlan', price: 'perMonth', terms: 'terms' },
  year: { name: 'yearlyPlan', price: 'perYear', terms: 'termsYear' },
} as const;

type TrialProps = { days: number; price: Price | null; interval: Interval };

/** What is free before the first charge. As high before the price is loaded. */
const Trial = ({ days, price, interval }: TrialProps): ReactNode => (
  <div>
    <p className="num">
      {price === null ? (
        <Bar width="14rem" height="1lh" />
      ) : (
        <strong>{billingText('trialOffer', { days, price: shortPrice(price), interval })}</strong>
      )}
    </p>
    <p className="small muted">{billingText('trialTerms')}</p>
  </div>
);

/** `trialDays`: those that this user may have. */
export const PlanOffer = ({ email, trialDays }: { email: string; trialDays: number }): ReactNode => {
  const { isBusy, failure, run } = useCheckout();
  const { price: monthly, yearlyPrice: yearly = null, sellsYears } = useConfig();
  const [chosen, setChosen] = useState<Interval>('month');
  const interval = sellsYears ? chosen : 'month';
  const price = interval === 'year' ? yearly : monthly;
  const texts = OF_INTERVAL[interval];
  useEffect(() => {
    // The plan on the screen is outdated: the user has subscribed, or a payment is in progress.
    if (failure !== null && OUTDATED.has(failure.code)) void revalidate(['subscription']);
  }, [failure]);
  return (
    <>
      {failure !== null && <CheckoutFailure failure={failure} email={email} />}
      <section className="panel plan-offer" aria-label={billingText(texts.name)}>
        <div className="plan-price">
          <div>
            <p className="num">
              {billingText.rich<ReactNode>(texts.price, {
                price: (
                  <span className="main-figure" key="price">
                    {price === null ? <Bar width="3ch" height="0.7em" /> : shortPrice(price)}
                  </span>
                ),
              })}
            </p>
            <p className="small muted">{billingText(texts.terms)}</p>
          </div>
          {sellsYears && (
            <IntervalChoice interval={interval} onChoose={setChosen} monthly={monthly} yearly={yearly} />
          )}
          {trialDays > 0 && <Trial days={trialDays} price={price} interval={interval} />}
          <Button variant="primary" isBusy={isBusy} onClick={() => void run({ email, interval })}>
            {billingText('getStarted')}
          </Button>
        </div>
        <Features />
      </section>
    </>
  );
};

/** Opens the checkout of a pack. */
const useBuyPack = () => {
  const token = useUserToken();
  const browser = useBrowser();
  return useCommand(async (): Promise<void> => {
    const { url } = await call(publicEndpoints.buyPack, {}, { token });
    browser.assign(url);
  });
};

/** `isPrimary`: nothing on the page comes before it, as the plan does for a free user without credits. */
type PackLineProps = { offer: PackOffer; plan: Plan; isPrimary: boolean };

/** The pack that is sold, with its price, when it is used and how it is paid. */
export const PackLine = ({ offer, plan, isPrimary }: PackLineProps): ReactNode => {
  const { isBusy, failure, run } = useBuyPack();
  const email = useAppSelector((state) => state.sessions.user.user?.email ?? '');
  useEffect(() => {
    // The offer on the screen is outdated.
    if (failure?.code === 'billing.pack_not_offered') void revalidate(['subscription']);
  }, [failure]);
  const price = money(offer.amount, offer.currency);
  return (
    <div className="panel-body stack">
      {failure !== null && <CheckoutFailure failure={failure} email={email} />}
      <div className="credit-notice">
        <Plus {...ICON} />
        <div>
          <h2 className="num">{billingText('pack', { credits: offer.credits, price })}</h2>
          <p className="small muted">
            {billingText(plan === 'premium' ? 'packAfterPremium' : 'packAfterFree')}
          </p>
        </div>
        <Button
          variant={isPrimary ? 'primary' : 'plain'}
          isBusy={isBusy}
          busyLabel={billingText('opening')}
          onClick={() => void run()}
        >
          {billingText('buyPack')}
        </Button>
      </div>
    </div>
  );
};
