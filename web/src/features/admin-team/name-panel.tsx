import type { AdminView } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { NAME_MAX } from '@shortlist/contracts/limits';
import { type FormEvent, type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useOwnAdmin } from '../../lib/data/use-account.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { teamText } from '../../messages/team.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';

const useRename = () => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (name: string): Promise<void> => {
    await call(publicEndpoints.renameOwnAdmin, { name }, { token });
    await revalidate(['security', 'directory']);
    dispatch(toasts.added(teamText('nameSaved')));
  });
};

const NameForm = ({ admin }: { admin: AdminView }): ReactNode => {
  const [name, setName] = useState(admin.name ?? '');
  const { isBusy, failure, run } = useRename();
  const nameError = failure?.fields['name'];
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(name.trim());
  };
  return (
    <form className="stack" noValidate onSubmit={handleSubmit}>
      <TextField
        label={teamText('name')}
        autoComplete="name"
        maxLength={NAME_MAX}
        value={name}
        error={nameError}
        onChange={(event) => setName(event.target.value)}
      />
      {failure !== null && nameError === undefined && <FailureAlert failure={failure} />}
      <div>
        <Button type="submit" isBusy={isBusy}>
          {teamText('saveName')}
        </Button>
      </div>
    </form>
  );
};

/** The name by which the other admins know this one. */
export const NamePanel = (): ReactNode => {
  const { data: admin } = useOwnAdmin();
  if (admin === undefined) return null;
  return (
    <Panel title={teamText('nameTitle')} note={teamText('nameNote')}>
      <NameForm key={admin.userId} admin={admin} />
    </Panel>
  );
};
