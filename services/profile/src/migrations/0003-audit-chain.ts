import { AUDIT_CHAIN } from '@shortlist/audit/tables';
import { migration } from '@shortlist/kit/data/migration';

/** The audit log becomes a chain of hashes (decision 11). */
export const auditChain = migration('AuditChainProfile1795400015000', AUDIT_CHAIN);
