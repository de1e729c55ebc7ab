import type { ReactNode } from 'react';
import { AuditFilters, AuditList, useAuditFilters } from '../../features/audit/audit-list.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { auditText } from '../../messages/audit.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const AuditPage = (): ReactNode => {
  usePageInfo({ pageName: 'audit', pageTitle: auditText('title'), pageDescripttion: '' });
  const { params, filters, change } = useAuditFilters();
  const query = JSON.stringify(filters);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader title={auditText('title')} description={auditText('description')} />
      <div className="stack">
        <AuditFilters params={params} onChange={change} />
        <section className="panel measure" aria-label={auditText('title')}>
          {/* Other filters begin at the newest entry again. */}
          <AuditList
            key={query}
            filters={filters}
            pageSize={20}
            emptyText={auditText(isFiltered ? 'noneFiltered' : 'none')}
          />
        </section>
      </div>
    </>
  );
};

export default AuditPage;
