import type { CreditsView } from '@shortlist/contracts/api/credits';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import Clock from 'lucide-react/icons/clock';
import type { ReactNode } from 'react';
import { longDay } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { creditsText } from '../../messages/credits.ts';
import { Meter } from '../../ui/meter.tsx';
import { BucketList } from './bucket-list.tsx';
import { MailSetting } from './mail-setting.tsx';
import { WindowDetails } from './window-details.tsx';
import { ICON } from '../../ui/inline.tsx';

const usageText = ({ plan, used, limit, windowEnd, exhausted, buckets }: CreditsView): string => {
  if (plan === 'premium' && exhausted) return creditsText('used', { used });
  if (windowEnd === null) return creditsText('usedNotStarted', { used, days: FREE_WINDOW_DAYS });
  const day = longDay(windowEnd);
  if (plan === 'premium' && buckets.length > 1) return creditsText('usedOfPlan', { used, limit, day });
  return plan === 'premium'
    ? creditsText('usedPremium', { used, day })
    : creditsText('usedFree', { used, limit, day });
};

type PanelProps = { credits: CreditsView };

/** The available credits as a figure and a meter. The label is the panel's heading unless the notice below has one. */
const Remaining = ({ credits }: PanelProps): ReactNode => {
  const { available, limit, used, exhausted, buckets } = credits;
  const Label = exhausted ? 'span' : 'h2';
  return (
    <div className="panel-body">
      <div className="main-figure-line">
        <span className="main-figure num">{count(available)}</span>
        <Label className="main-figure-label">{creditsText('available')}</Label>
        {buckets.length < 2 && <span className="muted num">{creditsText('ofLimit', { limit })}</span>}
      </div>
      <Meter label={creditsText('meter')} value={used} max={limit} />
      <p className="num">{usageText(credits)}</p>
    </div>
  );
};

type NoticeProps = { title: string; text: string; children?: ReactNode };

const Notice = ({ title, text, children }: NoticeProps): ReactNode => (
  <div className="panel-body credit-notice">
    <Clock {...ICON} />
    <div>
      <h2>{title}</h2>
      <p className="num">{text}</p>
    </div>
    {children}
  </div>
);

/** What the credits were used for. */
const usedUpText = ({ plan, limit, usedFor }: CreditsView): string => {
  if (usedFor === null) return creditsText('usedUp', { limit });
  const { messages, emails } = usedFor;
  if (emails === 0) return creditsText(`${plan}UsedUpText`, { messages });
  return messages === 0
    ? creditsText(`${plan}UsedUpEmails`, { emails })
    : creditsText(`${plan}UsedUpBoth`, { messages, emails });
};

/** `planLink` leads a free user to more credits; `nextCredits` says when the credits of Premium come back; empty while that is not known. */
type NextProps = PanelProps & { planLink: ReactNode; nextCredits: string };
/** `packLine` sells a pack of credits; null while none is sold. */
type BalanceProps = NextProps & { packLine: ReactNode };

/** The notice of an exhausted balance. Source: docs/product.md. */
const UsedUp = ({ credits, planLink, nextCredits }: NextProps): ReactNode => {
  if (credits.plan === 'free')
    return (
      <Notice title={creditsText('freeUsedUp')} text={usedUpText(credits)}>
        {planLink}
      </Notice>
    );
  const usedUp = usedUpText(credits);
  const then = { usedUp, next: nextCredits, days: FREE_WINDOW_DAYS };
  return (
    <Notice
      title={creditsText('premiumUsedUp')}
      text={nextCredits === '' ? usedUp : creditsText('premiumUsedUpThen', then)}
    />
  );
};

export const BalancePanel = ({ credits, packLine, ...next }: BalanceProps): ReactNode => (
  <section className="panel credit-panel" aria-label={creditsText('balance')}>
    <Remaining credits={credits} />
    <BucketList credits={credits} />
    {credits.exhausted && <UsedUp credits={credits} {...next} />}
    {packLine}
    <WindowDetails credits={credits} />
    <MailSetting />
  </section>
);
