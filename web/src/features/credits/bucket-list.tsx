import type { CreditBucket } from '@shortlist/contracts/api/credit-buckets';
import type { CreditsView } from '@shortlist/contracts/api/credits';
import type { ReactNode } from 'react';
import { longDate, longDay } from '../../lib/dates.ts';
import { creditsText } from '../../messages/credits.ts';

const titleOf = ({ kind, credits }: CreditBucket): string => {
  if (kind === 'pack') return creditsText('packBucket', { credits });
  return creditsText(kind === 'grant' ? 'grantBucket' : 'planBucket');
};

const lastsOf = ({ kind, endsAt }: CreditBucket): string => {
  if (kind === 'pack') return creditsText('noEnd');
  if (endsAt === null) return creditsText('withFirstCredit');
  return creditsText('until', { day: kind === 'plan' ? longDay(endsAt) : longDate(endsAt) });
};

/** What is left in each bucket, in the order in which they are used. Nothing when the plan's is the only one. */
export const BucketList = ({ credits }: { credits: CreditsView }): ReactNode => {
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
