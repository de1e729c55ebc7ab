import { createAuditLog, createOutboxAndInbox } from '@shortlist/kit/migration';
import { widenDirectoryTerms } from './migrations/0005-widen-directory-terms.ts';
import { addRoleType } from './migrations/0004-add-role-type.ts';
import { markAddresses } from './migrations/0003-mark-addresses.ts';
import { createDirectoryTerms } from './migrations/0002-create-directory-terms.ts';
import { createProfiles } from './migrations/0001-create-profiles.ts';
import { profileEntity } from './profiles/profile.entity.ts';

export const schema = {
  entities: [profileEntity],
  migrations: [
    createOutboxAndInbox,
    createProfiles,
    createAuditLog,
    createDirectoryTerms,
    markAddresses,
    addRoleType,
    widenDirectoryTerms,
  ],
};
