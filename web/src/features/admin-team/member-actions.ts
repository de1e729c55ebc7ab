import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { TeamMember } from '@shortlist/contracts/api/team';
import { call } from '../../lib/api/call.ts';
import { teamText } from '../../messages/team.ts';

export type MemberActionName = 'endSessions' | 'removeFactors' | 'suspend' | 'restore' | 'remove';

type MemberAction = {
  text: string;
  confirm: string;
  isBad: boolean;
  needsReason: boolean;
  isOffered: (member: TeamMember) => boolean;
  perform: (input: { id: string; reason: string }, token: string | null) => Promise<unknown>;
};

/** What an owner can do to another admin. */
export const MEMBER_ACTIONS: Record<MemberActionName, MemberAction> = {
  endSessions: {
    ...{ text: teamText('endSessionsText'), confirm: teamText('endThem'), isBad: false, needsReason: false },
    isOffered: ({ isSuspended }) => !isSuspended,
    perform: ({ id }, token) => call(publicEndpoints.endAdminSessions, { id }, { token }),
  },
  removeFactors: {
    ...{ text: teamText('removeFactorsText'), confirm: teamText('removeFactorsIt') },
    ...{ isBad: true, needsReason: true },
    isOffered: ({ factor }) => factor !== null,
    perform: (input, token) => call(publicEndpoints.removeAdminFactors, input, { token }),
  },
  suspend: {
    ...{ text: teamText('suspendText'), confirm: teamText('suspendIt'), isBad: true, needsReason: true },
    isOffered: ({ isSuspended }) => !isSuspended,
    perform: (input, token) => call(publicEndpoints.suspendAdmin, input, { token }),
  },
  restore: {
    ...{ text: teamText('restoreText'), confirm: teamText('restoreIt'), isBad: false, needsReason: false },
    isOffered: ({ isSuspended }) => isSuspended,
    perform: ({ id }, token) => call(publicEndpoints.restoreAdmin, { id }, { token }),
  },
  remove: {
    ...{ text: teamText('removeText'), confirm: teamText('removeIt'), isBad: true, needsReason: false },
    isOffered: () => true,
    perform: ({ id }, token) => call(publicEndpoints.removeAdmin, { id }, { token }),
  },
};

export const ACTION_NAMES = Object.keys(MEMBER_ACTIONS) as MemberActionName[];
