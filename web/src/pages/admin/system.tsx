import type { SystemView } from '@shortlist/contracts/api/billing';
import RotateCw from 'lucide-react/icons/rotate-cw';
import type { ReactNode } from 'react';
import { AlertsPanel } from '../../features/system/alerts-panel.tsx';
import { DeadLettersPanel } from '../../features/system/dead-letters.tsx';
import { FailedJobsPanel } from '../../features/system/failed-jobs.tsx';
import { SetupPanel, useSystem } from '../../features/system/setup-panel.tsx';
import {
  ChecksPanel,
  MailsPanel,
  ProcessesPanel,
  QueuesPanel,
  StatusSummary,
  useSystemStatus,
} from '../../features/system/status-panels.tsx';
import { currentStatus } from '../../features/system/status.rules.ts';
import { StripeEventsPanel } from '../../features/system/stripe-events.tsx';
import { summaryOf } from '../../features/system/system.rules.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortTime, now } from '../../lib/dates.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { statusText } from '../../messages/system-status.ts';
import { systemText } from '../../messages/system.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const checkedText = (system: SystemView | undefined): string => {
  if (system === undefined) return headingText('systemNote');
  const { checkedAt } = system.stripe;
  return checkedAt === null
    ? systemText('notChecked')
    : systemText('checked', { time: shortTime(checkedAt) });
};

/** The alerts and the settings at Stripe. */
const PaymentState = ({ query }: { query: ReturnType<typeof useSystem> }): ReactNode => (
  <QueryView
    query={query}
    skeleton={
      <Skeleton label={systemText('loading')}>
        <SkeletonPanel lines={5} />
      </Skeleton>
    }
    errorTitle={systemText('failed')}
  >
    {(system) => {
      const { tone, text } = summaryOf(system, now());
      return (
        <>
          <Alert tone={tone}>
            <p>{text}</p>
          </Alert>
          <AlertsPanel alerts={system.alerts} onChanged={query.mutate} />
          <SetupPanel setup={system.stripe} />
          <p className="small muted">{systemText('version', { version: system.version })}</p>
        </>
      );
    }}
  </QueryView>
);

/** The processes, and what failed in them. Each list is read by itself, and fails alone. */
const ServiceState = (): ReactNode => {
  const query = useSystemStatus();
  const status = query.data && currentStatus(query.data, now());
  return (
    <>
      <QueryView
        query={query}
        skeleton={
          <Skeleton label={statusText('loading')}>
            <SkeletonPanel lines={6} />
          </Skeleton>
        }
        errorTitle={statusText('failed')}
      >
        {() =>
          status !== undefined && (
            <>
              <StatusSummary status={status} />
              <ProcessesPanel status={status} />
              <QueuesPanel status={status} />
            </>
          )
        }
      </QueryView>
      <StripeEventsPanel counts={status?.stripe?.events ?? null} />
      <DeadLettersPanel />
      <FailedJobsPanel />
      {status !== undefined && (
        <>
          <MailsPanel status={status} />
          <ChecksPanel status={status} />
        </>
      )}
    </>
  );
};

const CheckNow = (): ReactNode => {
  const { isBusy, run } = useCommand(() => revalidate(['system']));
  return (
    <Button isReadOnly isBusy={isBusy} onClick={() => void run()}>
      <RotateCw {...ICON} />
      {statusText('checkNow')}
    </Button>
  );
};

const SystemPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-system', pageTitle: shellText('system'), pageDescription: '' });
  const query = useSystem();
  return (
    <>
      <PageHeader title={shellText('system')} description={checkedText(query.data)} actions={<CheckNow />} />
      <div className="stack sheets">
        <PaymentState query={query} />
        <ServiceState />
      </div>
    </>
  );
};

export default SystemPage;
