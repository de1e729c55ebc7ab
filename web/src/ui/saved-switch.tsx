import { type ReactNode, use, useId, useState } from 'react';
import { useCommand } from '../lib/state/use-command.ts';
import { controlText } from '../messages/shell.ts';
import { FailureAlert } from './alert.tsx';
import { ReadOnly } from './button.tsx';
import { Bar, Skeleton } from './states.tsx';

/** As high as the switch. */
export const SwitchSkeleton = ({ label }: { label: string }): ReactNode => (
  <Skeleton label={label}>
    <div className="stack stack-s">
      <div className="check-line">
        <Bar width="18rem" height="1lh" />
      </div>
      <p className="small">
        <Bar width="16rem" height="1lh" />
      </p>
    </div>
  </Skeleton>
);

type SavedSwitchProps = {
  label: string;
  note: string;
  isOn: boolean;
  save: (enabled: boolean) => Promise<unknown>;
};

/** A choice that is saved at once. It is shown while it is being saved, and taken back when that fails. */
export const SavedSwitch = ({ label, note, isOn, save }: SavedSwitchProps): ReactNode => {
  const id = useId();
  const refusal = use(ReadOnly);
  const [choice, setChoice] = useState<boolean | null>(null);
  const { isBusy, failure, run } = useCommand(async (enabled: boolean): Promise<void> => {
    setChoice(enabled);
    try {
      await save(enabled);
    } finally {
      setChoice(null);
    }
  });
  return (
    <div className="stack stack-s">
      <label className="check-line">
        <input
          type="checkbox"
          checked={choice ?? isOn}
          disabled={refusal !== null}
          aria-describedby={id}
          aria-busy={isBusy || undefined}
          onChange={(event) => void run(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <p className="small muted" id={id}>
        {refusal ?? note} <span role="status">{isBusy ? controlText('saving') : ''}</span>
      </p>
      {failure && <FailureAlert failure={failure} />}
    </div>
  );
};
