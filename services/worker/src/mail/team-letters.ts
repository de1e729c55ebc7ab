import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { mailText } from './messages.ts';

type Context = { brand: string; data: Record<string, string> };

const TEAM_LINK = { label: mailText('seeTeam'), path: '/admin/team' };

/** The mails to the owners about their team. Whom they are about stands on the page of the team alone. */
export const TEAM_LETTERS = {
  owner_added: ({ brand, data }: Context) => ({
    subject: mailText('ownerAdded', { brand }),
    lines: [
      mailText('ownerAddedText', { brand, by: data['by'] === SYSTEM_ACTOR_ID ? 'operator' : 'owner' }),
      mailText('teamNotExpected'),
    ],
    link: TEAM_LINK,
  }),
  invitation_sent: ({ brand, data }: Context) => ({
    subject: mailText('invitationSent', { brand }),
    lines: [mailText('invitationSentText', { brand, role: data['role'] ?? '' }), mailText('teamNotExpected')],
    link: TEAM_LINK,
  }),
} as const;
