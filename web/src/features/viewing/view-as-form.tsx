import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { FACTOR_REASON_MAX, VIEWING_SECONDS } from '@shortlist/contracts/limits';
import { useCallback, useState, type FormEvent, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { now } from '../../lib/clock.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { beginViewing } from '../../lib/viewing.ts';
import { viewingText } from '../../messages/viewing.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

const useStart = (id: string) => {
  const token = useAdminToken();
  const browser = useBrowser();
  return useCommand(
    useCallback(
      async (reason: string): Promise<void> => {
        const { data } = await call(publicEndpoints.startViewing, { id, reason }, { token });
        beginViewing(data.token, now() + data.remainingTime * 1000);
        browser.replace(paths.home);
      },
      [id, token, browser],
    ),
  );
};

/** Begins to view the product as a user, for a reason. */
export const ViewAsForm = ({ user }: { user: UserView }): ReactNode => {
  const name = `${user.firstName} ${user.lastName}`;
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useStart(user.id);
  const reasonError = failure?.fields['reason'];
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(reason.trim());
  };
  return (
    <form className="stack" noValidate onSubmit={handleSubmit}>
      <p>{viewingText('whatHappens', { name, minutes: VIEWING_SECONDS / 60 })}</p>
      <p>{viewingText('whatIsSeen', { name })}</p>
      <TextField
        label={viewingText('reason')}
        maxLength={FACTOR_REASON_MAX}
        value={reason}
        error={reasonError}
        onChange={(event) => setReason(event.target.value)}
      />
      {failure !== null && reasonError === undefined && <Alert tone="bad">{failure.message}</Alert>}
      <div className="panel-tools">
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {viewingText('start', { name })}
        </Button>
        <ButtonLink variant="quiet" to={paths.editUser(user.id)}>
          {viewingText('cancel')}
        </ButtonLink>
      </div>
    </form>
  );
};
