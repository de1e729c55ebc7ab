import Download from 'lucide-react/icons/download';
import { type ReactNode, useEffect } from 'react';
import { download } from '../lib/api/download.ts';
import { now, tableDate } from '../lib/dates.ts';
import { useAppDispatch, useAreaToken } from '../lib/state/hooks.tsx';
import { toasts } from '../lib/state/page.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { controlText } from '../messages/shell.ts';
import { Button } from './button.tsx';
import { ICON } from './inline.tsx';

type ExportButtonProps = { path: string; fileName: string; label?: string };

/** Downloads a list as CSV, in a file with today's date in its name. A failure is told by a toast. */
export const ExportButton = ({
  path,
  fileName,
  label = controlText('export'),
}: ExportButtonProps): ReactNode => {
  const token = useAreaToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (exported: string): Promise<void> => {
    if (token !== null) await download(exported, `${fileName}-${tableDate(new Date(now()))}.csv`, token);
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(controlText('exportFailed', { problem: failure.message })));
  }, [failure, dispatch]);
  return (
    <Button isBusy={isBusy} onClick={() => void run(path)}>
      <Download {...ICON} />
      {label}
    </Button>
  );
};
