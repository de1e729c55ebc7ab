import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { AuditFilters, ExportAudit, useAuditFilters } from '../../features/audit/audit-filters.tsx';
import { AuditList } from '../../features/audit/audit-list.tsx';
import { paths } from '../../lib/paths.ts';
import { May, usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { auditText } from '../../messages/audit.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/query-view.tsx';

const NoMatch = (): ReactNode => {
  const navigate = useNavigate();
  return (
    <EmptyState
      action={<Button onClick={() => void navigate(paths.adminAudit)}>{auditText('clearFilters')}</Button>}
    >
      {auditText('noneFiltered')}
    </EmptyState>
  );
};

const AuditPage = (): ReactNode => {
  usePageInfo({ pageName: 'audit', pageTitle: shellText('auditLog'), pageDescription: '' });
  const { params, filters, change } = useAuditFilters();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader
        title={shellText('auditLog')}
        description={headingText('auditNote')}
        actions={
          <May permission="audit.export">
            <ExportAudit filters={filters} />
          </May>
        }
      />
      <div className="stack">
        <AuditFilters params={params} onChange={change} />
        <section className="panel" aria-label={shellText('auditLog')}>
          {/* Other filters begin at the newest entry again. */}
          <AuditList
            key={JSON.stringify(filters)}
            filters={filters}
            pageSize={20}
            empty={isFiltered ? <NoMatch /> : <EmptyState>{auditText('none')}</EmptyState>}
          />
        </section>
      </div>
    </>
  );
};

export default AuditPage;
