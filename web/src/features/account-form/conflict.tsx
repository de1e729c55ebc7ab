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
const formatValue = (name: keyof typeof LABELS, value: string | null): string => {
  if (value === null || value === '') return 'none';
  return name === 'picture' ? 'another one' : value;
};

type ConflictProps = {
  /** As the server has it now, once it was read again. */
  latest: UserView;
  /** As it was when this form was opened. */
  base: UserView;
  onReload: () => Promise<void>;
  onKeepMine: (version: number) => void;
  onUseTheirs: (latest: UserView) => void;
};

/** Somebody else saved first: shows what they changed, and lets the next save go over it knowingly, or takes it over. */
export const Conflict = ({ latest, base, onReload, onKeepMine, onUseTheirs }: ConflictProps): ReactNode => {
  const reload = useRef(onReload);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void reload.current();
    // It stands over the form, whose button below was pressed.
    if (container.current === null) return;
    container.current.focus({ preventScroll: true });
    bringIntoView(container.current, 'nearest');
  }, []);
  const decide = (decision: () => void): void => {
    focusHeading();
    decision();
  };
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[];
  const changed = names.filter((name) => latest[name] !== base[name]);
  const isReloaded = latest.version !== base.version;
  return (
    <Alert tone="bad" ref={container}>
      <div className="stack stack-s">
        <p>{ERRORS['profile.version_conflict'][1]}</p>
        {changed.map((name) => (
          <p key={name}>
            {LABELS[name]}: <strong>{formatValue(name, latest[name])}</strong>
          </p>
        ))}
        <div className="form-end">
          <Button isSmall disabled={!isReloaded} onClick={() => decide(() => onKeepMine(latest.version))}>
            Keep my input
          </Button>
          <Button isSmall disabled={!isReloaded} onClick={() => decide(() => onUseTheirs(latest))}>
            Use theirs
          </Button>
        </div>
      </div>
    </Alert>
  );
};
