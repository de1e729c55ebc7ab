import type { ReactNode } from 'react';

/** Names with their values, one under the other. */
export const Details = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }): ReactNode => (
  <dl className="dl num">
    {rows.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
