import type { UserView } from '@shortlist/contracts/api/public';
import { DELETION_DAYS } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import { privacyText } from '../../messages/privacy.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DeleteDialog } from './delete-dialog.tsx';

/** The deletion of the account. */
export const DeletePanel = ({ user }: { user: UserView }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const handleClose = useCallback(() => setIsOpen(false), []);
  return (
    <Panel title={privacyText('deleteAccount')} isBare>
      <div className="body">
        <p>{privacyText('deleteWhat', { days: DELETION_DAYS })}</p>
      </div>
      <div className="panel-actions">
        <Button className="is-destructive" onClick={() => setIsOpen(true)}>
          {privacyText('deleteAccount')}
        </Button>
      </div>
      {isOpen && <DeleteDialog user={user} onClose={handleClose} />}
    </Panel>
  );
};
