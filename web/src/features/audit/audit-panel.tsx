import type { ReactNode } from 'react';
import { auditText } from '../../messages/audit.ts';
import { Panel } from '../../ui/panel.tsx';
import { AuditList } from './audit-list.tsx';

/** The audit log of one user. */
export const AuditPanel = ({ userId }: { userId: string }): ReactNode => (
  <Panel title={auditText('title')} isBare>
    <AuditList userId={userId} pageSize={10} emptyText={auditText('noneForUser')} />
  </Panel>
);
