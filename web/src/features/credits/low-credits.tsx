import type { CreditsView } from '@shortlist/contracts/api/credits';
import { type ReactNode, useState } from 'react';
import { useAppSelector } from '../../lib/state/hooks.tsx';
import { readItem, writeItem } from '../../lib/storage.ts';
import { creditsText } from '../../messages/credits.ts';
import { Alert } from '../../ui/alert.tsx';
import { warningPercent } from './usage.rules.ts';

const DISMISSED = 'dismissedCreditWarning';

/** Warns that most credits are used. Once dismissed it does not come back before the next window. */
export const LowCredits = ({ credits }: { credits: CreditsView }): ReactNode => {
  const userId = useAppSelector((state) => state.endUserAuth.endUserInfo?.id ?? '');
  const [dismissed, setDismissed] = useState(() => readItem(DISMISSED));
  const percent = warningPercent(credits);
  const current = `${userId} ${credits.plan} ${credits.windowStart}`;
  if (percent === null || dismissed === current) return null;
  const dismiss = (): void => {
    writeItem(DISMISSED, current);
    setDismissed(current);
  };
  return (
    <Alert tone="warn" onDismiss={dismiss}>
      {creditsText(credits.plan === 'premium' ? 'usedPercentPremium' : 'usedPercentFree', { percent })}
    </Alert>
  );
};
