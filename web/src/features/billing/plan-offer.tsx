import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { CreditsView } from '@shortlist/contracts/api/credits';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import Check from 'lucide-react/icons/check';
import { type ReactNode, useEffect } from 'react';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { useCredits } from '../../lib/data/use-plan.ts';
import { longDay } from '../../lib/dates.ts';
import { shortPrice } from '../../lib/money.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { billingText } from '../../messages/billing.ts';
import { Button } from '../../ui/button.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Bar, isSettled, Skeleton } from '../../ui/states.tsx';
import { ICON } from '../../ui/inline.tsx';
import { CheckoutFailure } from './checkout-failure.tsx';

const PLAN = { limit: FREE_CREDITS, days: FREE_WINDOW_DAYS };

const usageText = ({ used, windowEnd }: CreditsView): string =>
  windowEnd === null
    ? billingText('freeUsed', { ...PLAN, used })
    : billingText('freeUsedUntil', { ...PLAN, used, day: longDay(windowEnd) });

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
] satisfies ErrorCode[]);

/** Creates a checkout session and navigates to it. */
const useCheckout = () => {
  const token = useUserToken();
  const browser = useBrowser();
  return useCommand(async (email: string): Promise<void> => {
    const { url } = await call(publicEndpoints.subscribe, { email }, { token });
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

export const PlanOffer = ({ email }: { email: string }): ReactNode => {
  const { isBusy, failure, run } = useCheckout();
  const { price } = useConfig();
  useEffect(() => {
    // The plan on the screen is outdated: the user has subscribed, or a payment is in progress.
    if (failure !== null && OUTDATED.has(failure.code)) void revalidate(['subscription']);
  }, [failure]);
  return (
    <>
      {failure !== null && <CheckoutFailure failure={failure} email={email} />}
      <section className="panel plan-offer" aria-label={billingText('monthlyPlan')}>
        <div className="plan-price">
          <div>
            <p className="num">
              {billingText.rich<ReactNode>('perMonth', {
                price: (
                  <span className="main-figure" key="price">
                    {price === null ? <Bar width="3ch" /> : shortPrice(price)}
                  </span>
                ),
              })}
            </p>
            <p className="small muted">{billingText('terms')}</p>
          </div>
          <Button variant="primary" isBusy={isBusy} onClick={() => void run(email)}>
            {billingText('getStarted')}
          </Button>
        </div>
        <Features />
      </section>
    </>
  );
};
