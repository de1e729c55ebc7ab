import type { DataExportView } from '@shortlist/contracts/api/privacy';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EXPORT_PARTS } from '@shortlist/contracts/limits';
import { LOCALE } from '@shortlist/contracts/messages';
import FileDown from 'lucide-react/icons/file-down';
import Trash2 from 'lucide-react/icons/trash-2';
import { type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { download } from '../../lib/api/download.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { shortTime, shortDay, tableDate } from '../../lib/dates.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { privacyText } from '../../messages/privacy.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { ICON } from '../../ui/inline.tsx';

const formatOf = (unit: 'kilobyte' | 'megabyte', digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(LOCALE, { style: 'unit', unit, maximumFractionDigits: digits });
const KILOBYTES = formatOf('kilobyte', 0);
const MEGABYTES = formatOf('megabyte', 1);

/** 4.8 MB, or 12 kB for a small file. */
const fileSize = (bytes: number): string =>
  bytes < 1_000_000 ? KILOBYTES.format(Math.max(1, bytes / 1_000)) : MEGABYTES.format(bytes / 1_000_000);

/** Live updates report progress; this finds it where they do not arrive. */
const PROGRESS_MS = 10_000;

const isInProgress = (state: DataExportView['state'] | undefined): boolean =>
  state === 'waiting' || state === 'running';

/** The latest file with the user's data; null without one. */
export const useDataExport = () =>
  useQuery(
    'privacy',
    publicEndpoints.dataExport,
    {},
    {
      refreshInterval: (latest) => (isInProgress(latest?.state) ? PROGRESS_MS : 0),
    },
  );

type OnChanged = () => Promise<unknown>;

const useRequestExport = (onChanged: OnChanged) => {
  const token = useUserToken();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.requestDataExport, {}, { token });
    await onChanged();
  });
};

/** Removes the file, or stops its preparation. */
const useRemoveExport = (onChanged: OnChanged) => {
  const token = useUserToken();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.removeDataExport, {}, { token });
    await onChanged();
  });
};

const fileNameOf = ({ requestedAt }: Pick<DataExportView, 'requestedAt'>): string =>
  `shortlist-data-${tableDate(requestedAt)}.zip`;

const useDownload = () => {
  const token = useUserToken();
  return useCommand(async (file: DataExportView): Promise<void> => {
    if (token !== null) await download(publicEndpoints.downloadData.path, fileNameOf(file), token);
  });
};

const PARTS = EXPORT_PARTS.length;

type PartProps = { onChanged: () => Promise<unknown> };

const Problem = ({ failure }: { failure: Failure | null }): ReactNode =>
  failure !== null && (
    <div className="panel-body">
      <FailureAlert failure={failure} />
    </div>
  );

const Prepare = ({ label, onChanged }: PartProps & { label: string }): ReactNode => {
  const { isBusy, failure, run } = useRequestExport(onChanged);
  return (
    <>
      <Problem failure={failure} />
      <div className="panel-actions">
        <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
          {label}
        </Button>
      </div>
    </>
  );
};

const Progress = ({ done, onChanged }: PartProps & { done: number }): ReactNode => {
  const { isBusy, failure, run } = useRemoveExport(onChanged);
  return (
    <>
      <div className="panel-body stack" aria-live="polite">
        <p className="card-title">{privacyText('preparing', { done, parts: PARTS })}</p>
        <progress
          className="download-progress"
          aria-label={privacyText('preparingLabel')}
          max={PARTS}
          value={done}
        />
        <p className="small muted">{privacyText('leavePage')}</p>
      </div>
      <Problem failure={failure} />
      <div className="panel-actions">
        <Button variant="quiet" isBusy={isBusy} onClick={() => void run()}>
          {privacyText('stop')}
        </Button>
      </div>
    </>
  );
};

const Ready = ({ file, onChanged }: PartProps & { file: DataExportView }): ReactNode => {
  const removal = useRemoveExport(onChanged);
  const { isBusy, failure, run } = useDownload();
  const note = { size: fileSize(file.bytes ?? 0), date: shortTime(file.expiresAt ?? file.requestedAt) };
  return (
    <>
      <Lines>
        <Line
          isMarked
          icon={<FileDown {...ICON} />}
          title={fileNameOf(file)}
          note={privacyText('readyNote', note)}
        >
          <Button variant="primary" isBusy={isBusy} onClick={() => void run(file)}>
            {privacyText('downloadFile')}
          </Button>
          <IconButton
            label={privacyText('deleteFile')}
            icon={<Trash2 {...ICON} />}
            isBusy={removal.isBusy}
            onClick={() => void removal.run()}
          />
        </Line>
      </Lines>
      <Problem failure={failure ?? removal.failure} />
    </>
  );
};

const textOf = (file: DataExportView | null): string => {
  if (file?.state === 'failed') return privacyText('notPrepared', { reference: file.id.slice(-12) });
  if (file?.state !== 'expired') return privacyText('downloadWhat');
  const expired = shortDay(file.expiresAt ?? file.requestedAt);
  return privacyText('over', { requested: shortDay(file.requestedAt), expired });
};

const LABELS = { expired: privacyText('prepareNew'), failed: privacyText('tryAgain') } as const;
const labelOf = (file: DataExportView | null): string =>
  file?.state === 'expired' || file?.state === 'failed' ? LABELS[file.state] : privacyText('prepare');

type DownloadPanelProps = PartProps & { file: DataExportView | null };

const NoFile = ({ file, onChanged }: DownloadPanelProps): ReactNode => (
  <>
    <div className="panel-body">
      <p>{textOf(file)}</p>
    </div>
    <Prepare label={labelOf(file)} onChanged={onChanged} />
  </>
);

const Content = ({ file, onChanged }: DownloadPanelProps): ReactNode => {
  if (file !== null && isInProgress(file.state)) return <Progress done={file.done} onChanged={onChanged} />;
  if (file?.state === 'ready') return <Ready file={file} onChanged={onChanged} />;
  return <NoFile file={file} onChanged={onChanged} />;
};

/** The file with the user's data: requested, in preparation, ready, expired or failed. */
export const DownloadPanel = (props: DownloadPanelProps): ReactNode => (
  <Panel title={privacyText('download')} isBare>
    <Content {...props} />
  </Panel>
);
