import CircleAlert from 'lucide-react/icons/circle-alert';
import Upload from 'lucide-react/icons/upload';
import { useEffect, useId, useMemo, useState, type DragEvent, type ReactNode } from 'react';
import { pictureText } from '../messages/account-form.ts';
import { Avatar, ICON } from './inline.tsx';
import { Button } from './button.tsx';

type PictureDropProps = {
  name: string;
  current: string | null;
  file: File | null;
  /** Whether the current picture is to be removed. */
  isRemoved: boolean;
  /** The last chosen file if it was rejected. Its name is shown with the error. */
  rejected: File | null;
  isOptional: boolean;
  error: string | undefined;
  accept: string;
  /** The accepted formats and size, for the hint. */
  limits: string;
  /** Null: no file, and the current picture is kept. */
  onPick: (file: File | null) => void;
  onRemove: () => void;
};

/** An object URL of a local file. */
const usePreview = (file: File | null): string | null => {
  const url = useMemo(() => (file === null ? null : URL.createObjectURL(file)), [file]);
  useEffect(
    () => () => {
      if (url !== null) URL.revokeObjectURL(url);
    },
    [url],
  );
  return url;
};

/** The handlers of a drop zone, and whether something is dragged over it. */
const useDrop = (onPick: (file: File) => void) => {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setIsDraggedOver(true);
    },
    onDragLeave: (): void => setIsDraggedOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setIsDraggedOver(false);
      const [dropped] = event.dataTransfer.files;
      if (dropped) onPick(dropped);
    },
  };
  return { isDraggedOver, handlers };
};

const MEGABYTE = 1024 * 1024;

const sizeOf = ({ size }: File): string =>
  size < MEGABYTE
    ? pictureText('kilobytes', { size: Math.ceil(size / 1024) })
    : pictureText('megabytes', { size: (size / MEGABYTE).toFixed(1) });

type ChooserProps = Pick<PictureDropProps, 'accept' | 'onPick'> & {
  describedBy: string;
  isRejected: boolean;
};

const Chooser = ({ accept, onPick, describedBy, isRejected }: ChooserProps): ReactNode => {
  const id = useId();
  return (
    <>
      <label className="button" htmlFor={id}>
        <Upload {...ICON} />
        {pictureText('choose')}
      </label>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept={accept}
        aria-label={pictureText('label')}
        aria-describedby={describedBy}
        aria-invalid={isRejected || undefined}
        onChange={(event) => {
          const [picked] = event.target.files ?? [];
          if (picked) onPick(picked);
          event.target.value = '';
        }}
      />
    </>
  );
};

type RemovalProps = Pick<PictureDropProps, 'current' | 'file' | 'isRemoved' | 'onPick' | 'onRemove'>;

/** Takes the chosen file back, removes the saved picture, or keeps it after all. */
const Removal = ({ current, file, isRemoved, onPick, onRemove }: RemovalProps): ReactNode => {
  if (file === null && current === null) return null;
  if (file === null && !isRemoved)
    return (
      <Button variant="quiet" onClick={onRemove}>
        {pictureText('remove')}
      </Button>
    );
  return (
    <Button variant="quiet" onClick={() => onPick(null)}>
      {pictureText(file === null ? 'undo' : 'unpick')}
    </Button>
  );
};

type PictureHintProps = Pick<PictureDropProps, 'isOptional' | 'isRemoved' | 'limits'> & {
  id: string;
  labelled: File | null;
};

/** The name and size of the chosen file, and which files are accepted. */
const PictureHint = ({ id, labelled, isOptional, isRemoved, limits }: PictureHintProps): ReactNode => (
  <p className="small muted" id={id}>
    {isRemoved && labelled === null && <strong role="status">{pictureText('removed')} </strong>}
    {labelled !== null && (
      <>
        <strong>
          {pictureText.rich('file', { name: <bdi key="name">{labelled.name}</bdi>, size: sizeOf(labelled) })}
        </strong>
        {'. '}
      </>
    )}
    {pictureText(isOptional && labelled === null ? 'optional' : 'limits', { limits })}
  </p>
);

const FileError = ({ id, error }: { id: string; error: string }): ReactNode => (
  <p className="help is-bad" role="alert" id={id}>
    <CircleAlert size={15} aria-hidden="true" />
    {error}
  </p>
);

const classFor = (isDraggedOver: boolean, isRejected: boolean): string =>
  ['drop-zone', isDraggedOver && 'is-over', isRejected && 'is-bad'].filter(Boolean).join(' ');

export const PictureDrop = (props: PictureDropProps): ReactNode => {
  const { name, current, file, rejected, isOptional, error, accept, limits, onPick } = props;
  const { isRemoved } = props;
  const { isDraggedOver, handlers } = useDrop(onPick);
  const chosen = usePreview(file);
  const preview = chosen ?? (isRemoved ? null : current);
  const id = useId();
  const isRejected = error !== undefined;
  return (
    <div className={classFor(isDraggedOver, isRejected)} {...handlers}>
      <Avatar name={name.trim() || '+'} src={preview} size="large" alt={pictureText('label')} />
      <div className="drop-zone-body">
        <div className="button-row">
          <Chooser
            accept={accept}
            onPick={onPick}
            describedBy={isRejected ? `${id}-help ${id}-error` : `${id}-help`}
            isRejected={isRejected}
          />
          <Removal
            current={current}
            file={file}
            isRemoved={isRemoved}
            onPick={onPick}
            onRemove={props.onRemove}
          />
        </div>
        <PictureHint
          id={`${id}-help`}
          labelled={rejected ?? file}
          isOptional={isOptional}
          isRemoved={isRemoved}
          limits={limits}
        />
      </div>
      {isRejected && <FileError id={`${id}-error`} error={error} />}
    </div>
  );
};
