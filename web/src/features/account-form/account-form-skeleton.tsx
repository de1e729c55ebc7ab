import type { ReactNode } from 'react';
import { Bar } from '../../ui/skeleton.tsx';

const FIELDS_OF_PARTS = [3, 3, 4, 2];

/** The place of the form, while the person in it is on the way. */
export const AccountFormSkeleton = (): ReactNode => (
  <div className="form-parts">
    {FIELDS_OF_PARTS.map((fields, part) => (
      <div className="form-part" key={part}>
        <Bar width="7rem" />
        <div className="form-grid">
          {Array.from({ length: fields }, (_, field) => (
            <div key={field} className={fields === 3 && field === 0 ? 'wide' : undefined}>
              <Bar width="5rem" height="1.3125rem" />
              <Bar height="2.75rem" />
            </div>
          ))}
        </div>
      </div>
    ))}
  </div>
);
