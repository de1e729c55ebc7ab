import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { creditsText } from '../../messages/credits.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { SavedSwitch, SwitchSkeleton } from '../../ui/saved-switch.tsx';

/** Whether the user gets emails about running out of credits. */
export const MailSetting = (): ReactNode => {
  const token = useUserToken();
  const query = useQuery('profile', publicEndpoints.creditMails, {});
  const save = async (enabled: boolean): Promise<void> => {
    const stored = await call(publicEndpoints.setCreditMails, { enabled }, { token });
    await query.mutate(stored, { revalidate: false });
  };
  return (
    <div className="panel-body">
      <QueryView
        query={query}
        skeleton={<SwitchSkeleton label={creditsText('loadingMails')} />}
        errorTitle={creditsText('mailsFailed')}
      >
        {({ enabled }) => (
          <SavedSwitch
            label={creditsText('mails')}
            note={creditsText('mailsWhen')}
            isOn={enabled}
            save={save}
          />
        )}
      </QueryView>
    </div>
  );
};
