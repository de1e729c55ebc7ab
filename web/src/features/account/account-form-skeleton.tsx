import type { ReactNode } from 'react';
import { Bar } from '../../ui/states.tsx';
import { profileFields } from './account-values.ts';

const countIn = (group: string): number =>
  profileFields(false).filter((field) => field.group === group).length;

/** The fields of each section: sign-in details, person with the picture, work, location. */
const SECTIONS = [
  { fields: 3, hasWideField: true },
  { fields: countIn('person') + 1, hasWideField: true },
  { fields: countIn('work'), hasWideField: false },
  { fields: countIn('location'), hasWideField: false },
] as const;

/** Stands in for the form while the user is being loaded. */
export const AccountFormSkeleton = (): ReactNode => (
  <div className="form-parts">
    {SECTIONS.map(({ fields, hasWideField }, section) => (
      <div className="form-part" key={section}>
        <Bar width="7rem" />
        <div className="form-grid">
          {Array.from({ length: fields }, (_, field) => (
            <div key={field} className={hasWideField && field === 0 ? 'form-grid-wide' : undefined}>
              <Bar width="5rem" height="1.3125rem" />
              <Bar height="2.75rem" />
            </div>
          ))}
        </div>
      </div>
    ))}
  </div>
);
