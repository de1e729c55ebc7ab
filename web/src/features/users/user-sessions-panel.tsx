import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { useAdminToken, useCan } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { devicesText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';

export const useSessionCount = (userId: string) =>
  useQuery('directory', publicEndpoints.countUserSessions, { id: userId });

type EndAllDialogProps = { userId: string; count: number; onClose: () => void };

const EndAllDialog = ({ userId, count, onClose }: EndAllDialogProps): ReactNode => {
  const token = useAdminToken();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.endUserSessions, { id: userId }, { token });
    await revalidate(['directory']); // also the audit log beside it
    onClose();
  });
  return (
    <ConfirmDialog
      title={devicesText('endAll')}
      confirmLabel={devicesText('endSessions', { count })}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{devicesText('endAllNote', { count })}</p>
    </ConfirmDialog>
  );
};

/** How many sessions a user has, and the end of all of them. */
export const UserSessionsPanel = ({ userId }: { userId: string }): ReactNode => {
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const handleClose = useCallback(() => setIsOpen(false), []);
  const skeleton = (
    <Skeleton label={devicesText('sessionsLoading')}>
      <SkeletonPanel lines={1} />
    </Skeleton>
  );
  return (
    <QueryView query={useSessionCount(userId)} skeleton={skeleton} errorTitle={devicesText('sessionsFailed')}>
      {({ count }) => (
        <Panel title={devicesText('sessions')}>
          <div className="stack">
            <p>{devicesText('signedIn', { count })}</p>
            {count > 0 && can('sessions.end') && (
              <Button className="is-wide is-destructive" onClick={() => setIsOpen(true)}>
                {devicesText('endAll')}
              </Button>
            )}
          </div>
          {isOpen && <EndAllDialog userId={userId} count={count} onClose={handleClose} />}
        </Panel>
      )}
    </QueryView>
  );
};
