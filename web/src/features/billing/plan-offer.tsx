import Check from 'lucide-react/icons/check';
import { publicDoors } from '@shortlist/contracts/api/public';
import { PREMIUM_CREDITS, PRICE_MINOR } from '@shortlist/contracts/limits';
import { useCallback, useEffect, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { readAgain } from '../../lib/data/stale.ts';
import { useUserToken } from '../../lib/state/hooks.ts';
import { useCommand } from '../../lib/use-command.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

const FEATURES = [
  'LinkedIn automation agent',
  'Cloud recruiter CRM',
  'AI browser extension for personalised outreach',
  `${PREMIUM_CREDITS} email-finder credits a month for LinkedIn profiles`,
];

/** Opens a checkout and goes there. */
const useCheckout = () => {
  const token = useUserToken();
  const browser = useBrowser();
  const open = useCallback(
    async (email: string): Promise<void> => {
      const { url } = await call(publicDoors.subscribe, { email }, { token });
      browser.leave(url);
    },
    [token, browser],
  );
  return useCommand(open);
};

export const PlanOffer = ({ email }: { email: string }): ReactNode => {
  const { isBusy, failure, run } = useCheckout();
  useEffect(() => {
    // What is shown was old: somebody subscribed meanwhile, here or elsewhere.
    if (failure?.code === 'billing.already_subscribed') void readAgain(['subscription']);
  }, [failure]);
  return (
    <section className="panel" aria-label="The monthly plan">
      <div className="body stack stack-l">
        {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
        <div className="row row-baseline">
          <span className="big num">${PRICE_MINOR / 100}/Month</span>
          <span className="muted">cancel whenever you like</span>
        </div>
        <ul className="ticks">
          {FEATURES.map((feature) => (
            <li key={feature}>
              <Check size={16} aria-hidden="true" />
              <span>{feature}</span>
            </li>
          ))}
        </ul>
        <Button look="primary" className="main-action" isBusy={isBusy} onClick={() => void run(email)}>
          Get Started
        </Button>
      </div>
    </section>
  );
};
