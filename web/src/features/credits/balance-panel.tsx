import type { CreditBucket, CreditsView } from '@shortlist/contracts/api/credits';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { shortTime, shortDay } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { useAppSelector } from '../../lib/state/hooks.tsx';
import { readItem, writeItem } from '../../lib/storage.ts';
import { creditsText } from '../../messages/credits.ts';
import { Alert } from '../../ui/alert.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Details } from '../../ui/panel.tsx';
import { MailSetting } from './mail-setting.tsx';
import { warningPercent } from './usage.rules.ts';
import Clock from 'lucide-react/icons/clock';

const usageText = ({ plan, used, limit, windowEnd, exhausted }: CreditsView): string => {
  if (plan === 'premium' && exhausted) return creditsText('used', { used });
  if (windowEnd === null) return creditsText('usedNotStarted', { used, days: FREE_WINDOW_DAYS });
  const day = shortDay(windowEnd);
  return plan === 'premium'
    ? creditsText('usedPremium', { used, day })
    : creditsText('usedFree', { used, limit, day });
};

type PanelProps = { credits: CreditsView };

const leftOf = (buckets: readonly CreditBucket[], kind: CreditBucket['kind']): number =>
  buckets.filter((bucket) => bucket.kind === kind).reduce((sum, { available }) => sum + available, 0);

/** What is left of the plan and beside it, kind by kind; `nextCredits` when the plan's are used up. */
const bucketsText = (credits: CreditsView, nextCredits: string): string => {
  const { used, limit, windowEnd, buckets } = credits;
  const [left, packs, grants] = [limit - used, leftOf(buckets, 'pack'), leftOf(buckets, 'grant')];
  return [
    windowEnd === null
      ? usageText(credits)
      : creditsText('ofPlan', { left, limit, day: shortDay(windowEnd) }),
    ...(left > 0 || nextCredits === '' ? [] : [nextCredits]),
    ...(packs > 0 ? [creditsText('ofPacks', { left: packs })] : []),
    ...(grants > 0 ? [creditsText('ofGrants', { left: grants })] : []),
  ].join(' ');
};

const Legend = (): ReactNode => (
  <ul className="meter-legend small muted" aria-hidden="true">
    <li>{creditsText('planStrokes')}</li>
    <li>{creditsText('otherStrokes')}</li>
  </ul>
);

/** The available credits as a figure and a meter. The label is the panel's heading unless the notice below has one. */
const Remaining = ({ credits, nextCredits }: PanelProps & { nextCredits: string }): ReactNode => {
  const { available, limit, used, exhausted, buckets } = credits;
  const Label = exhausted ? 'span' : 'h2';
  const others = buckets.filter(({ kind }) => kind !== 'plan');
  const leftOfOthers = others.reduce((sum, bucket) => sum + bucket.available, 0);
  const max = others.reduce((sum, bucket) => sum + bucket.credits, limit);
  return (
    <div className="panel-body">
      <div className="main-figure-line">
        <span className="main-figure num">{count(available)}</span>
        <Label className="main-figure-label">{creditsText('available')}</Label>
        {buckets.length < 2 && <span className="muted num">{creditsText('ofLimit', { limit })}</span>}
      </div>
      <Meter
        label={creditsText('meter')}
        value={max - Math.max(limit - used, 0) - leftOfOthers}
        max={max}
        leftOfOthers={leftOfOthers}
      />
      {leftOfOthers > 0 && <Legend />}
      <p className="num">{leftOfOthers > 0 ? bucketsText(credits, nextCredits) : usageText(credits)}</p>
    </div>
  );
};

const titleOf = ({ kind, credits }: CreditBucket): string => {
  if (kind === 'pack') return creditsText('packBucket', { credits });
  return creditsText(kind === 'grant' ? 'grantBucket' : 'planBucket');
};

const lastsOf = ({ kind, endsAt }: CreditBucket): string => {
  if (kind === 'pack') return creditsText('noEnd');
  if (endsAt === null) return creditsText('withFirstCredit');
  return creditsText('until', { day: kind === 'plan' ? shortDay(endsAt) : shortTime(endsAt) });
};

/** What is left in each bucket, in the order in which they are used. Nothing when the plan's is the only one. */
const BucketList = ({ credits }: PanelProps): ReactNode => {
  const { buckets } = credits;
  if (buckets.length < 2) return null;
  return (
    <div className="panel-body">
      <h2 className="small muted">{creditsText('usedInOrder')}</h2>
      <div>
        <dl className="details-list num">
          {buckets.map((bucket) => (
            <div key={bucket.id}>
              <dt>{titleOf(bucket)}</dt>
              <dd>
                {creditsText('bucketLeft', { left: bucket.available, credits: bucket.credits })}{' '}
                {lastsOf(bucket)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
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

const periodRows = ({ windowStart, windowEnd }: CreditsView): [string, string][] => {
  if (windowStart === null || windowEnd === null)
    return [[creditsText('starts'), creditsText('withFirstCredit')]];
  return [
    [creditsText('started'), shortDay(windowStart)],
    [creditsText('ends'), shortDay(windowEnd)],
  ];
};

/** The plan and the period behind the balance. */
const WindowDetails = ({ credits }: PanelProps): ReactNode => (
  <div className="panel-body">
    <h2 className="visually-hidden">{creditsText('period')}</h2>
    <Details
      isStrip
      rows={[
        [creditsText('plan'), creditsText(credits.plan)],
        ...periodRows(credits),
        [creditsText('premiumUsed'), count(credits.premiumUsed)],
        [creditsText('freeUsed'), count(credits.freeUsed)],
      ]}
    />
  </div>
);

export const BalancePanel = ({ credits, packLine, ...next }: BalanceProps): ReactNode => (
  <section className="panel credit-panel" aria-label={creditsText('balance')}>
    <Remaining credits={credits} nextCredits={next.nextCredits} />
    <BucketList credits={credits} />
    {credits.exhausted && <UsedUp credits={credits} {...next} />}
    {packLine}
    <WindowDetails credits={credits} />
    <MailSetting />
  </section>
);

const DISMISSED = 'dismissedCreditWarning';

/** Warns that most credits are used. Once dismissed it does not come back before the next window. */
export const LowCredits = ({ credits }: PanelProps): ReactNode => {
  const userId = useAppSelector((state) => state.sessions.user.user?.id ?? '');
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
