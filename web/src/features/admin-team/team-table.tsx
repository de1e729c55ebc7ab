import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReachableTeam } from '@shortlist/contracts/api/team';
import type { Suppression } from '@shortlist/contracts/api/email';
import type { ReactNode } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { shellText } from '../../messages/shell.ts';
import { teamText } from '../../messages/team.ts';
import { InvitationRow } from './invitations.tsx';
import { MemberRow } from './members.tsx';

export const useTeam = () => useQuery('directory', publicEndpoints.team, {});

const suppressionOf = ({ suppressions }: ReachableTeam, { email }: { email: string }): Suppression | null =>
  suppressions.find((suppression) => suppression.email === email) ?? null;

/** The admins and the open invitations. */
export const TeamTable = ({ team }: { team: ReachableTeam }): ReactNode => (
  <section className="panel" aria-label={shellText('team')}>
    <div className="table-scroll" tabIndex={0} role="region" aria-label={shellText('team')}>
      <table className="data-table is-stacked">
        <thead>
          <tr>
            <th scope="col">{teamText('admin')}</th>
            <th scope="col">{teamText('role')}</th>
            <th scope="col">{teamText('twoStep')}</th>
            <th scope="col">{teamText('lastLogIn')}</th>
            <th scope="col" className="align-end">
              {teamText('actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {team.members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isOwn={member.id === team.ownId}
              suppression={suppressionOf(team, member)}
            />
          ))}
          {team.invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              suppression={suppressionOf(team, invitation)}
            />
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
