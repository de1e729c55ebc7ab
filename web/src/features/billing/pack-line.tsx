import type { PackOffer } from '@shortlist/contracts/api/packs';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Plan } from '@shortlist/contracts/plan';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useEffect } from 'react';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { money } from '../../lib/money.ts';
import { useAppSelector, useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { billingText } from '../../messages/billing.ts';
import { Button } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { CheckoutFailure } from './checkout-failure.tsx';

/** Opens the checkout of a pack. */
const useBuyPack = () => {
  const token = useUserToken();
  const browser = useBrowser();
  return useCommand(async (): Promise<void> => {
    const { url } = await call(publicEndpoints.buyPack, {}, { token });
    browser.assign(url);
  });
};

/** The pack that is sold, with its price, when it is used and how it is paid. */
export const PackLine = ({ offer, plan }: { offer: PackOffer; plan: Plan }): ReactNode => {
  const { isBusy, failure, run } = useBuyPack();
  const email = useAppSelector((state) => state.endUserAuth.endUserInfo?.email ?? '');
  useEffect(() => {
    // The offer on the screen is outdated.
    if (failure?.code === 'billing.pack_not_offered') void revalidate(['credits']);
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
          variant="primary"
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
