import type { ReactNode } from 'react';

type MeterProps = { label: string; value: number; max: number };

export const Meter = ({ label, value, max }: MeterProps): ReactNode => {
  const share = max <= 0 ? 0 : Math.min(Math.max(value / max, 0), 1);
  return (
    <div
      className={share >= 1 ? 'meter is-full' : 'meter'}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
    >
      <i style={{ inlineSize: `${share * 100}%` }} />
    </div>
  );
};
