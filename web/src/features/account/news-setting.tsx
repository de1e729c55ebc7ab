import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { newsText } from '../../messages/account-form.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SavedSwitch, SwitchSkeleton } from '../../ui/saved-switch.tsx';

/** Whether the user gets news and tips. */
export const NewsSetting = (): ReactNode => {
  const token = useUserToken();
  const query = useQuery('profile', publicEndpoints.newsMails, {});
  const save = async (enabled: boolean): Promise<void> => {
    const stored = await call(publicEndpoints.setNewsMails, { enabled }, { token });
    await query.mutate(stored, { revalidate: false });
  };
  return (
    <Panel title={newsText('title')}>
      <QueryView
        query={query}
        skeleton={<SwitchSkeleton label={newsText('loading')} />}
        errorTitle={newsText('failed')}
      >
        {({ enabled }) => (
          <SavedSwitch label={newsText('setting')} note={newsText('note')} isOn={enabled} save={save} />
        )}
      </QueryView>
    </Panel>
  );
};
