import type { UserView } from '@shortlist/contracts/api/public';
import { ERRORS } from '@shortlist/contracts/errors';
import { useEffect, useRef, type ReactNode } from 'react';
import { bringIntoView } from '../../lib/form/bring-into-view.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/focus-heading.ts';

const LABELS = {
  firstName: 'First name',
  lastName: 'Last name',
  organizationName: 'Organization name',
  typeOfOrganization: 'Agency, TA or Hiring Manager',
  primaryRecruitingIndustry: 'Primary recruiting industry',
  linkedin: 'LinkedIn URL',
  country: 'Country',
  city: 'City',
  roleType: 'Role type',
  picture: 'Profile picture',
} as const;

/** A picture is called by a name that only machines read. */
const inWords = (name: keyof typeof LABELS, value: string | null): string => {
  if (value === null || value === '') return 'none';
  return name === 'picture' ? 'another one' : value;
};

type ConflictProps = {
  /** As the server has it now, once it was read again. */
  theirs: UserView;
  /** As it was when this form was opened. */
  start: UserView;
  onLook: () => Promise<void>;
  onKeep: (version: number) => void;
  onTake: (theirs: UserView) => void;
};

/** Somebody else saved first: shows what they changed, and lets the next save go over it knowingly, or takes it over. */
export const Conflict = ({ theirs, start, onLook, onKeep, onTake }: ConflictProps): ReactNode => {
  const look = useRef(onLook);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void look.current();
    // It stands over the form, whose button below was pressed.
    if (place.current === null) return;
    place.current.focus({ preventScroll: true });
    bringIntoView(place.current, 'nearest');
  }, []);
  const decide = (decision: () => void): void => {
    focusHeading();
    decision();
  };
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[];
  const changed = names.filter((name) => theirs[name] !== start[name]);
  const isKnown = theirs.version !== start.version;
  return (
    <Alert tone="bad" ref={place}>
      <div className="stack stack-s">
        <p>{ERRORS['profile.version_conflict'][1]}</p>
        {changed.map((name) => (
          <p key={name}>
            {LABELS[name]}: <strong>{inWords(name, theirs[name])}</strong>
          </p>
        ))}
        <div className="form-end">
          <Button isSmall disabled={!isKnown} onClick={() => decide(() => onKeep(theirs.version))}>
            Keep my input
          </Button>
          <Button isSmall disabled={!isKnown} onClick={() => decide(() => onTake(theirs))}>
            Use theirs
          </Button>
        </div>
      </div>
    </Alert>
  );
};
