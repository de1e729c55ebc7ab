import Download from 'lucide-react/icons/download';
import { publicEndpoints, type DirectoryQuery } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, type ReactNode } from 'react';
import { download } from '../../lib/api/download.ts';
import { now } from '../../lib/clock.ts';
import { tableDate } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { directoryText } from '../../messages/directory.ts';
import { Button } from '../../ui/button.tsx';

/** The export's URL: all users that match the filters, not only the current page. */
const exportUrl = ({ cursor: _cursor, limit: _limit, ...filters }: DirectoryQuery): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${publicEndpoints.exportUsers.path}?${new URLSearchParams({ ...filters, timeZone }).toString()}`;
};

export const ExportButton = ({ query }: { query: DirectoryQuery }): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const save = useCallback(
    async (exportQuery: DirectoryQuery): Promise<void> => {
      if (token !== null)
        await download(exportUrl(exportQuery), `users-${tableDate(new Date(now()))}.csv`, token);
    },
    [token],
  );
  const { isBusy, failure, run } = useCommand(save);
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(directoryText('exportFailed', { problem: failure.message })));
  }, [failure, dispatch]);
  return (
    <Button isBusy={isBusy} onClick={() => void run(query)}>
      <Download size={18} strokeWidth={1.75} aria-hidden="true" />
      {directoryText('export')}
    </Button>
  );
};
