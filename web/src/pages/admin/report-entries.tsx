import type { ReactNode } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { Entries, Subscribers } from '../../features/revenue/report-list.tsx';
import { type ReportList, useReportList } from '../../features/revenue/report-state.ts';
import type { Listed } from '../../features/revenue/revenue.rules.ts';
import { daySpan } from '../../lib/dates.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { figureText, revenueText } from '../../messages/revenue.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const ListPage = ({ listed, list }: { listed: Listed; list: ReportList }): ReactNode => {
  const title = figureText(listed);
  usePageInfo({ pageName: 'admin-report-entries', pageTitle: title, pageDescription: '' });
  return (
    <>
      <p className="back-link">
        <Link to={list.back}>{revenueText('toReports')}</Link>
      </p>
      <PageHeader
        title={title}
        description={listed === 'subscribers' ? revenueText('nowPaying') : daySpan(list.days)}
      />
      <section className="panel" aria-label={title}>
        {listed === 'subscribers' ? <Subscribers {...list} /> : <Entries kind={listed} list={list} />}
      </section>
    </>
  );
};

/** What is behind a figure of the reports. */
const ReportEntriesPage = (): ReactNode => {
  const list = useReportList();
  const { listed, back } = list;
  return listed === null ? <Navigate to={back} replace /> : <ListPage listed={listed} list={list} />;
};

export default ReportEntriesPage;
