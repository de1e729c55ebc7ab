import type { DataExportView } from '@shortlist/contracts/api/privacy';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { download } from '../../lib/api/download.ts';
import { tableDate } from '../../lib/dates.ts';
import { useUserToken } from '../../lib/state/hooks.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { focusHeading } from '../../ui/focus-heading.ts';

/** Live updates report progress; this finds it where they do not arrive. */
const PROGRESS_MS = 10_000;

export const isInProgress = (state: DataExportView['state'] | undefined): boolean =>
  state === 'waiting' || state === 'running';

/** The latest file with the user's data; null without one. */
export const useDataExport = () => {
  const token = useUserToken();
  return useSWR<DataExportView | null, unknown>(
    token === null ? null : ['privacy', token, 'export'],
    async () => (await call(publicEndpoints.dataExport, {}, { token })).data,
    { refreshInterval: (latest) => (isInProgress(latest?.state) ? PROGRESS_MS : 0) },
  );
};

type OnChanged = () => Promise<unknown>;

export const useRequestExport = (onChanged: OnChanged) => {
  const token = useUserToken();
  return useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.requestDataExport, {}, { token });
      await onChanged();
    }, [token, onChanged]),
  );
};

/** Removes the file, or stops its preparation. */
export const useRemoveExport = (onChanged: OnChanged) => {
  const token = useUserToken();
  return useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.removeDataExport, {}, { token });
      // The button goes with its line.
      focusHeading();
      await onChanged();
    }, [token, onChanged]),
  );
};

export const fileNameOf = ({ requestedAt }: Pick<DataExportView, 'requestedAt'>): string =>
  `shortlist-data-${tableDate(requestedAt)}.zip`;

export const useDownload = () => {
  const token = useUserToken();
  return useCommand(
    useCallback(
      async (file: DataExportView): Promise<void> => {
        if (token !== null) await download(publicEndpoints.downloadData.path, fileNameOf(file), token);
      },
      [token],
    ),
  );
};
