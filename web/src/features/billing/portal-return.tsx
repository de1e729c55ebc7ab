import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { billingText } from '../../messages/billing.ts';
import { Alert } from '../../ui/alert.tsx';
import { takePlanBefore } from './portal.ts';
import { changesAtStripe } from './portal-changes.ts';

/** Reads the subscription from Stripe for a user who comes back from the portal, and says what has changed there. */
export const PortalReturn = (): ReactNode => {
  const [params, setParams] = useSearchParams();
  const token = useUserToken();
  const isReturn = params.get('from') === 'portal';
  // In the first drawing too, so that nothing below moves when the text is there.
  const [hasReturned] = useState(isReturn);
  const [changes, setChanges] = useState<string[] | null>(null);
  const { failure, run } = useCommand(async (): Promise<void> => {
    const before = takePlanBefore();
    const { data } = await call(publicEndpoints.refreshPlan, {}, { token });
    await revalidate(['subscription']);
    setChanges(before === null ? [billingText('returnRead')] : changesAtStripe(before, data));
  });
  useEffect(() => {
    if (!isReturn || token === null) return;
    setParams({}, { replace: true }); // a reload is no second return
    void run();
  }, [isReturn, token, setParams, run]);
  if (!hasReturned) return null;
  const text = changes?.join(' ') ?? billingText('returnReading');
  return (
    <div className="plan-problem portal-return">
      <Alert tone={failure === null ? 'plain' : 'warn'}>
        {failure === null ? text : billingText('returnFailed')}
      </Alert>
    </div>
  );
};
