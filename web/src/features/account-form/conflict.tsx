import type { UserView } from '@shortlist/contracts/api/public';
import { ERRORS } from '@shortlist/contracts/errors';
import { PROFILE_FIELDS, type ProfileFieldName } from '@shortlist/contracts/profile-fields';
import { useEffect, useRef, type ReactNode } from 'react';
import { bringIntoView } from '../../lib/form/bring-into-view.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/focus-heading.ts';

type ComparedField = { name: ProfileFieldName | 'picture'; label: string };

const COMPARED_FIELDS: readonly ComparedField[] = [
  ...PROFILE_FIELDS,
  { name: 'picture', label: 'Profile picture' },
];

/** A picture's file name means nothing to the user. */
const formatValue = (name: string, value: string | null): string => {
  if (value === null || value === '') return 'none';
  return name === 'picture' ? 'another one' : value;
};

type ConflictProps = {
  /** The user as last loaded from the server. */
  latest: UserView;
  /** The user as loaded when the form was opened. */
  base: UserView;
  onReload: () => Promise<void>;
  onKeepMine: (version: number) => void;
  onUseTheirs: (latest: UserView) => void;
};

/** Shows what another editor has saved meanwhile, and offers to overwrite it with the next save or to start over from it. */
export const Conflict = ({ latest, base, onReload, onKeepMine, onUseTheirs }: ConflictProps): ReactNode => {
  const reload = useRef(onReload);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void reload.current();
    // The conflict is above the form and the pressed button below it, possibly out of view.
    if (container.current === null) return;
    container.current.focus({ preventScroll: true });
    bringIntoView(container.current, 'nearest');
  }, []);
  const decide = (decision: () => void): void => {
    focusHeading();
    decision();
  };
  const changed = COMPARED_FIELDS.filter(({ name }) => latest[name] !== base[name]);
  const isReloaded = latest.version !== base.version;
  return (
    <Alert tone="bad" ref={container}>
      <div className="stack stack-s">
        <p>{ERRORS['profile.version_conflict'][1]}</p>
        {changed.map(({ name, label }) => (
          <p key={name}>
            {label}: <strong>{formatValue(name, latest[name])}</strong>
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
