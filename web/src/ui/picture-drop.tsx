import { useEffect, useId, useMemo, useState, type DragEvent, type ReactNode } from 'react';
import { Avatar } from './avatar.tsx';

type PictureDropProps = {
  name: string;
  current: string | null;
  file: File | null;
  isOptional: boolean;
  error: string | undefined;
  accept: string;
  onPick: (file: File | null) => void;
};

/** Address for showing a file that only the browser has. */
const usePreview = (file: File | null): string | null => {
  const address = useMemo(() => (file === null ? null : URL.createObjectURL(file)), [file]);
  useEffect(
    () => () => {
      if (address !== null) URL.revokeObjectURL(address);
    },
    [address],
  );
  return address;
};

/** Whether something is held over the place, and the handlers that take what is let go there. */
const useDrop = (onPick: (file: File) => void) => {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: (): void => setIsOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(false);
      const [dropped] = event.dataTransfer.files;
      if (dropped) onPick(dropped);
    },
  };
  return { isOver, handlers };
};

type ChooserProps = Pick<PictureDropProps, 'accept' | 'onPick'> & {
  hasPicture: boolean;
  errorId: string | null;
};

const Chooser = ({ accept, onPick, hasPicture, errorId }: ChooserProps): ReactNode => {
  const id = useId();
  return (
    <>
      <span className="muted" id={`${id}-help`}>
        PNG, JPEG or GIF, at most 5 MB. {!hasPicture && 'Drop it here or '}
      </span>
      <label htmlFor={id}>{hasPicture ? 'Choose another' : 'choose a file'}</label>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept={accept}
        aria-label="Profile picture"
        aria-describedby={errorId === null ? `${id}-help` : `${id}-help ${errorId}`}
        aria-invalid={errorId === null ? undefined : true}
        onChange={(event) => {
          const [picked] = event.target.files ?? [];
          if (picked) onPick(picked);
          event.target.value = '';
        }}
      />
    </>
  );
};

export const PictureDrop = (props: PictureDropProps): ReactNode => {
  const { name, current, file, isOptional, error, accept, onPick } = props;
  const { isOver, handlers } = useDrop(onPick);
  const shown = usePreview(file) ?? current;
  const errorId = useId();
  return (
    <div className={isOver ? 'drop is-over' : 'drop'} {...handlers}>
      <Avatar name={name.trim() || '+'} src={shown} size="large" alt="Profile picture" />
      <div>
        <strong>Profile picture</strong> {isOptional && <span className="muted">optional</span>}
        <br />
        <Chooser
          accept={accept}
          onPick={onPick}
          hasPicture={shown !== null}
          errorId={error ? errorId : null}
        />
        {file !== null && (
          <button type="button" className="link-button" onClick={() => onPick(null)}>
            Remove
          </button>
        )}
        {error && (
          <p className="drop-note" role="alert" id={errorId}>
            {error}
          </p>
        )}
      </div>
    </div>
  );
};
