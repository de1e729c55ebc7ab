import FileDown from 'lucide-react/icons/file-down';
import Trash2 from 'lucide-react/icons/trash-2';
import type { DataExportView } from '@shortlist/contracts/api/privacy';
import { EXPORT_PARTS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { longDate, longDay } from '../../lib/dates.ts';
import { privacyText } from '../../messages/privacy.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Line, Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import { fileSize } from './file-size.ts';
import {
  fileNameOf,
  isInProgress,
  useDownload,
  useRemoveExport,
  useRequestExport,
} from './use-data-export.ts';

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;
const PARTS = EXPORT_PARTS.length;

type PartProps = { onChanged: () => Promise<unknown> };

const Problem = ({ failure }: { failure: { message: string } | null }): ReactNode =>
  failure !== null && (
    <div className="body">
      <Alert tone="bad">{failure.message}</Alert>
    </div>
  );

const Prepare = ({ label, onChanged }: PartProps & { label: string }): ReactNode => {
  const { isBusy, failure, run } = useRequestExport(onChanged);
  return (
    <>
      <Problem failure={failure} />
      <div className="panel-actions">
        <Button variant="primary" isBusy={isBusy} onClick={() => void run(undefined)}>
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
      <div className="body stack" aria-live="polite">
        <p className="title-line">{privacyText('preparing', { done, parts: PARTS })}</p>
        <progress className="progress" aria-label={privacyText('preparingLabel')} max={PARTS} value={done} />
        <p className="small muted">{privacyText('leavePage')}</p>
      </div>
      <Problem failure={failure} />
      <div className="panel-actions">
        <Button variant="quiet" isBusy={isBusy} onClick={() => void run(undefined)}>
          {privacyText('stop')}
        </Button>
      </div>
    </>
  );
};

const Ready = ({ file, onChanged }: PartProps & { file: DataExportView }): ReactNode => {
  const removal = useRemoveExport(onChanged);
  const { isBusy, failure, run } = useDownload();
  const note = { size: fileSize(file.bytes ?? 0), date: longDate(file.expiresAt ?? file.requestedAt) };
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
            onClick={() => void removal.run(undefined)}
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
  const expired = longDay(file.expiresAt ?? file.requestedAt);
  return privacyText('over', { requested: longDay(file.requestedAt), expired });
};

const LABELS = { expired: privacyText('prepareNew'), failed: privacyText('tryAgain') } as const;
const labelOf = (file: DataExportView | null): string =>
  file?.state === 'expired' || file?.state === 'failed' ? LABELS[file.state] : privacyText('prepare');

type DownloadPanelProps = PartProps & { file: DataExportView | null };

const NoFile = ({ file, onChanged }: DownloadPanelProps): ReactNode => (
  <>
    <div className="body">
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
