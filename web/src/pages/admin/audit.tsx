import type { ReactNode } from 'react';
import { AuditList } from '../../features/audit/audit-list.tsx';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { auditText } from '../../messages/audit.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const AuditPage = (): ReactNode => {
  usePageInfo({ pageName: 'audit', pageTitle: auditText('title'), pageDescripttion: '' });
  return (
    <>
      <PageHeader title={auditText('title')} description={auditText('description')} />
      <section className="panel measure" aria-label={auditText('title')}>
        <AuditList pageSize={20} emptyText={auditText('none')} />
      </section>
    </>
  );
};

export default AuditPage;
