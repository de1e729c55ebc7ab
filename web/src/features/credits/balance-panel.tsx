import type { CreditsView } from '@shortlist/contracts/api/public';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { longDay } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { Meter } from '../../ui/meter.tsx';

const renewalWords = ({ limit, windowEnd }: CreditsView): string => {
  if (windowEnd === null) return `Your ${FREE_WINDOW_DAYS} days begin with your first credit.`;
  return `A new ${count(limit)} on ${longDay(windowEnd)}.`;
};

type PanelProps = { credits: CreditsView };

const Available = ({ credits }: PanelProps): ReactNode => (
  <>
    <h2>Credits available</h2>
    <p className="row row-baseline">
      <span className="big num">{count(credits.available)}</span>
      <span className="muted num">of {count(credits.limit)}</span>
    </p>
    <Meter label="Credits used" value={credits.used} max={credits.limit} />
    <p className="small num">
      {count(credits.used)} used. {renewalWords(credits)}
    </p>
  </>
);

const PremiumUsedUp = ({ credits }: PanelProps): ReactNode => (
  <>
    <h2>Premium credits used up</h2>
    <p className="lead">You have used all your credits: {count(credits.limit)} messages composed</p>
    <Meter label="Credits used" value={credits.used} max={credits.limit} />
    <p className="small num">{renewalWords(credits)}</p>
  </>
);

const FreeUsedUp = ({ credits }: PanelProps): ReactNode => (
  <>
    <h2>Free credits used up</h2>
    <p className="lead">You have composed {count(credits.limit)} free messages</p>
    <Meter label="Credits used" value={credits.used} max={credits.limit} />
    <p className="small num">{renewalWords(credits)}</p>
    <p>
      <Link className="button is-primary main-action" to={paths.payments}>
        Get 500 credits a month
      </Link>
    </p>
  </>
);

/** Which of the three panels of spec.md §4 holds for this balance. */
const Inside = ({ credits }: PanelProps): ReactNode => {
  if (!credits.exhausted) return <Available credits={credits} />;
  return credits.plan === 'premium' ? <PremiumUsedUp credits={credits} /> : <FreeUsedUp credits={credits} />;
};

export const BalancePanel = ({ credits }: PanelProps): ReactNode => (
  <section className="panel" aria-label="Your balance">
    <div className="body stack">
      <Inside credits={credits} />
    </div>
  </section>
);
