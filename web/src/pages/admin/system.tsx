import type { SystemView } from '@shortlist/contracts/api/billing';
import type { ReactNode } from 'react';
import { AlertsPanel } from '../../features/system/alerts-panel.tsx';
import { SetupPanel, useSystem } from '../../features/system/setup-panel.tsx';
import { summaryOf } from '../../features/system/system.rules.ts';
import { shortTime, now } from '../../lib/dates.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { systemText } from '../../messages/system.ts';
import { Alert } from '../../ui/alert.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const checkedText = (system: SystemView | undefined): string => {
  if (system === undefined) return headingText('systemNote');
  const { checkedAt } = system.stripe;
  return checkedAt === null
    ? systemText('notChecked')
    : systemText('checked', { time: shortTime(checkedAt) });
};

type ContentProps = { system: SystemView; onChanged: () => Promise<unknown> };

const Content = ({ system, onChanged }: ContentProps): ReactNode => {
  const { tone, text } = summaryOf(system, now());
  return (
    <div className="stack sheets">
      <Alert tone={tone}>
        <p>{text}</p>
      </Alert>
      <AlertsPanel alerts={system.alerts} onChanged={onChanged} />
      <SetupPanel setup={system.stripe} />
      <p className="small muted">{systemText('version', { version: system.version })}</p>
    </div>
  );
};

const SystemPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-system', pageTitle: shellText('system'), pageDescription: '' });
  const query = useSystem();
  return (
    <>
      <PageHeader title={shellText('system')} description={checkedText(query.data)} />
      <QueryView
        query={query}
        skeleton={
          <Skeleton label={systemText('loading')}>
            <SkeletonPanel lines={5} />
          </Skeleton>
        }
        errorTitle={systemText('failed')}
      >
        {(system) => <Content system={system} onChanged={query.mutate} />}
      </QueryView>
    </>
  );
};

export default SystemPage;
