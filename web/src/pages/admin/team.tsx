import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import { useCallback, useState, type ReactNode } from 'react';
import { InviteDialog } from '../../features/admin-team/invitations.tsx';
import { RolesPanel } from '../../features/admin-team/roles-panel.tsx';
import { TeamTable, useTeam } from '../../features/admin-team/team-table.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { teamText } from '../../messages/team.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { isSettled, QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { ICON } from '../../ui/inline.tsx';

const TITLE = shellText('team');

const TeamSkeleton = (): ReactNode => (
  <Skeleton label={teamText('loading')}>
    <SkeletonPanel lines={5} />
  </Skeleton>
);

/** The admins, for owners. */
const TeamPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-team', pageTitle: TITLE, pageDescription: '' });
  const [isInviting, setIsInviting] = useState(false);
  const close = useCallback(() => setIsInviting(false), []);
  const query = useTeam();
  return (
    <>
      <PageHeader
        title={TITLE}
        description={headingText('teamNote')}
        actions={
          <Button variant="primary" onClick={() => setIsInviting(true)}>
            <UserRoundPlus {...ICON} />
            {teamText('invite')}
          </Button>
        }
      />
      <div className="stack">
        <QueryView query={query} skeleton={<TeamSkeleton />} errorTitle={teamText('failed')}>
          {(team) => <TeamTable team={team} />}
        </QueryView>
        {/* Hidden until the table above it has its height. */}
        <div hidden={!isSettled(query)}>
          <RolesPanel />
        </div>
      </div>
      {isInviting && <InviteDialog onClose={close} />}
    </>
  );
};

export default TeamPage;
