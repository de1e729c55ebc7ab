import type { CreditMails } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, use, useId, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { creditsText } from '../../messages/credits.ts';
import { controlText } from '../../messages/shell.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { ReadOnly } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';

/** As high as the setting. */
const SettingSkeleton = (): ReactNode => (
  <Skeleton label={creditsText('loadingMails')}>
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

type SettingProps = { isOn: boolean; onChanged: (stored: CreditMails) => Promise<unknown> };

/** Saves a choice at once. It is shown while it is being saved, and taken back when that fails. */
const useSaveChoice = ({ isOn, onChanged }: SettingProps) => {
  const token = useUserToken();
  const [choice, setChoice] = useState<boolean | null>(null);
  const { isBusy, failure, run } = useCommand(async (enabled: boolean): Promise<void> => {
    setChoice(enabled);
    try {
      await onChanged(await call(publicEndpoints.setCreditMails, { enabled }, { token }));
    } finally {
      setChoice(null);
    }
  });
  return { isChosen: choice ?? isOn, isBusy, failure, run };
};

const Setting = (props: SettingProps): ReactNode => {
  const id = useId();
  const refusal = use(ReadOnly);
  const { isChosen, isBusy, failure, run } = useSaveChoice(props);
  return (
    <div className="stack stack-s">
      <label className="check-line">
        <input
          type="checkbox"
          checked={isChosen}
          disabled={refusal !== null}
          aria-describedby={id}
          aria-busy={isBusy || undefined}
          onChange={(event) => void run(event.target.checked)}
        />
        <span>{creditsText('mails')}</span>
      </label>
      <p className="small muted" id={id}>
        {refusal ?? creditsText('mailsWhen')} <span role="status">{isBusy ? controlText('saving') : ''}</span>
      </p>
      {failure && <FailureAlert failure={failure} />}
    </div>
  );
};

/** Whether the user gets emails about running out of credits. */
export const MailSetting = (): ReactNode => {
  const query = useQuery('profile', publicEndpoints.creditMails, {});
  return (
    <div className="panel-body">
      <QueryView query={query} skeleton={<SettingSkeleton />} errorTitle={creditsText('mailsFailed')}>
        {({ enabled }) => (
          <Setting isOn={enabled} onChanged={(stored) => query.mutate(stored, { revalidate: false })} />
        )}
      </QueryView>
    </div>
  );
};
