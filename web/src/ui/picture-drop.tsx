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

export const PictureDrop = (props: PictureDropProps): ReactNode => {
  const { name, current, file, isOptional, error, accept, onPick } = props;
  const [isOver, setIsOver] = useState(false);
  const id = useId();
  const preview = usePreview(file);
  const hasPicture = preview !== null || current !== null;

  const handleDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onPick(dropped);
  };

  return (
    <div
      className={isOver ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
    >
      <Avatar
        name={name.trim() === '' ? '+' : name}
        src={preview ?? current}
        size="large"
        alt="Profile picture"
      />
      <div>
        <strong>Profile picture</strong> {isOptional && <span className="muted">optional</span>}
        <br />
        <span className="muted" id={`${id}-help`}>
          PNG, JPEG or GIF, at most 5 MB. {!hasPicture && 'Drop it here or '}
        </span>
        <label htmlFor={id}>{hasPicture ? 'Choose another' : 'choose a file'}</label>
        {file !== null && (
          <>
            {' '}
            <button type="button" className="link-button" onClick={() => onPick(null)}>
              Remove
            </button>
          </>
        )}
        <input
          id={id}
          className="visually-hidden"
          type="file"
          accept={accept}
          aria-label="Profile picture"
          aria-describedby={`${id}-help`}
          onChange={(event) => {
            const [picked] = event.target.files ?? [];
            if (picked) onPick(picked);
            event.target.value = '';
          }}
        />
        {error && (
          <p className="drop-note" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
};
