import type { ReactNode } from 'react';
import { DashboardTabs } from '../../features/dashboard/dashboard-tabs.tsx';
import { FiguresPanel } from '../../features/revenue/figures-panel.tsx';
import { MovementsPanel } from '../../features/revenue/movements-panel.tsx';
import { spanText, useReport, useRevenue } from '../../features/revenue/report-state.ts';
import { CustomDays, ReportTools } from '../../features/revenue/report-tools.tsx';
import { RetentionPanel } from '../../features/revenue/retention-panel.tsx';
import { useConfig } from '../../lib/data/use-config.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { shellText } from '../../messages/shell.ts';
import { ExternalLink } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = shellText('reports');

const ReportsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-reports', pageTitle: TITLE, pageDescription: '' });
  const { links } = useConfig();
  const report = useReport();
  const query = useRevenue(report);
  return (
    <>
      <PageHeader
        className="is-report"
        title={TITLE}
        description={spanText(report.choice.days, query.data)}
        actions={<ReportTools report={report} view={query.data} />}
      />
      <DashboardTabs current="business" />
      <div className="stack sheets">
        <CustomDays {...report} />
        <FiguresPanel query={query} report={report} />
        <MovementsPanel {...report} />
        <RetentionPanel currency={report.choice.currency} />
        <p className="small muted">
          {adminText('reportsManaged')}{' '}
          <ExternalLink href={links.provider}>{adminText('openProvider')}</ExternalLink>
        </p>
      </div>
    </>
  );
};

export default ReportsPage;
