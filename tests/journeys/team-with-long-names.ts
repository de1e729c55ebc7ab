import type { ReachableTeam, TeamMember } from '@shortlist/contracts/api/team';

export const LONG_EMAIL = 'maximiliane.von-hohenzollern-sigmaringen@talentfield-recruiting.example';

const owner: TeamMember = {
  id: '0192f0c0-0000-7000-8000-0000000000a1',
  email: 'ines.carvalho@shortlist.test',
  name: 'Inês Carvalho',
  role: 'owner',
  factor: 'passkey',
  lastLogInAt: '2026-11-21T09:00:00.000Z',
  isSuspended: false,
};
const active: TeamMember = {
  ...owner,
  id: '0192f0c0-0000-7000-8000-0000000000a2',
  email: LONG_EMAIL,
  name: 'Maximiliane-Charlotte von Hohenzollern-Sigmaringen',
  role: 'support',
  factor: 'totp',
};
const suspended: TeamMember = {
  ...active,
  id: '0192f0c0-0000-7000-8000-0000000000a3',
  email: 'tomas.ferreira@shortlist.test',
  name: null,
  isSuspended: true,
};

/** An admin with access, one without, and one who is invited. */
export const TEAM_WITH_LONG_NAMES: { data: ReachableTeam } = {
  data: {
    ownId: owner.id,
    members: [owner, active, suspended],
    invitations: [
      {
        id: '0192f0c0-0000-7000-8000-0000000000a4',
        email: LONG_EMAIL,
        role: 'finance',
        invitedBy: owner.email,
        expiresAt: '2026-12-01T09:00:00.000Z',
        isExpired: false,
      },
    ],
    suppressions: [
      {
        email: suspended.email,
        kind: 'bounced',
        reason: `550 5.1.1 <${suspended.email}>: Recipient address rejected: User unknown in virtual mailbox table`,
        at: '2026-11-20T09:00:00.000Z',
      },
    ],
  },
};
