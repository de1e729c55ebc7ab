import type { Team } from '@shortlist/contracts/api/team';
import type { ReactNode } from 'react';
import { teamText } from '../../messages/team.ts';
import { InvitationRow } from './invitation-row.tsx';
import { MemberRow } from './member-row.tsx';

/** The admins and the open invitations. */
export const TeamTable = ({ team }: { team: Team }): ReactNode => (
  <section className="panel" aria-label={teamText('title')}>
    <div className="scroll" tabIndex={0} role="region" aria-label={teamText('title')}>
      <table className="list is-stacked">
        <thead>
          <tr>
            <th scope="col">{teamText('admin')}</th>
            <th scope="col">{teamText('role')}</th>
            <th scope="col">{teamText('twoStep')}</th>
            <th scope="col">{teamText('lastLogIn')}</th>
            <th scope="col" className="end">
              {teamText('actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {team.members.map((member) => (
            <MemberRow key={member.id} member={member} isOwn={member.id === team.ownId} />
          ))}
          {team.invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
