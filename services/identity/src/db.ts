import { auditLogEntity } from '@shortlist/audit/audit-log.entity';
import { registrationEntity } from './registrations/registration.entity.ts';
import { chainEntity } from '@shortlist/audit/chain.entity';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
import { accountEntity } from './accounts/account.entity.ts';
import { passkeyEntity } from './factors/passkey.entity.ts';
import { recoveryCodeEntity } from './factors/recovery-code.entity.ts';
import { emailChangeEntity } from './email-changes/email-change.entity.ts';
import { totpEntity } from './factors/totp.entity.ts';
import { chunkEntity } from './data-exports/chunk.entity.ts';
import { dataExportEntity } from './data-exports/data-export.entity.ts';
import { deletionEntity } from './deletion/deletion.entity.ts';
import { initial } from './migrations/0001-initial.ts';
import { consent } from './migrations/0002-consent.ts';
import { mailedTokens } from './migrations/0003-mailed-tokens.ts';
import { factors } from './migrations/0004-factors.ts';
import { signIns } from './migrations/0005-sign-ins.ts';
import { emailVerification } from './migrations/0006-email-verification.ts';
import { privacy } from './migrations/0009-privacy.ts';
import { emailChanges } from './migrations/0007-email-changes.ts';
import { adminRoles } from './migrations/0008-admin-roles.ts';
import { adminInvitations } from './migrations/0010-admin-invitations.ts';
import { generations } from './migrations/0011-generations.ts';
import { unconfirmedAccounts } from './migrations/0012-unconfirmed-accounts.ts';
import { registrations } from './migrations/0013-registrations.ts';
import { auditChain } from './migrations/0014-audit-chain.ts';
import { signInEntity } from './sign-ins/sign-in.entity.ts';
import { invitationEntity } from './team/invitation.entity.ts';
import { mailedTokenEntity } from './tokens/mailed-token.entity.ts';

export const schema = {
  entities: [
    auditLogEntity,
    chainEntity,
    accountEntity,
    mailedTokenEntity,
    totpEntity,
    recoveryCodeEntity,
    passkeyEntity,
    signInEntity,
    deletionEntity,
    dataExportEntity,
    chunkEntity,
    emailChangeEntity,
    invitationEntity,
    registrationEntity,
  ],
  migrations: [
    initial,
    consent,
    mailedTokens,
    factors,
    signIns,
    emailVerification,
    emailChanges,
    adminRoles,
    privacy,
    adminInvitations,
    generations,
    unconfirmedAccounts,
    registrations,
    auditChain,
  ],
  rights: AUDIT_RIGHTS,
};
