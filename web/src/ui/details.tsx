import type { ReactNode } from 'react';

/** Names with their values, as a list or as a horizontal strip. */
export const Details = ({
  rows,
  isStrip = false,
}: {
  rows: readonly (readonly [string, ReactNode])[];
  isStrip?: boolean;
}): ReactNode => (
  <dl className={isStrip ? 'details-strip num' : 'details-list num'}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
