import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useId } from 'react';
import { useCopy } from '../lib/use-copy.ts';
import { controlText } from '../messages/shell.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ICON } from './inline.tsx';

type CopyOnceProps = { title: string; text: string; label: string; value: string; onClose: () => void };

/** A secret that nobody can read again: only a press closes the dialog before it is copied. */
export const CopyOnce = ({ title, text, label, value, onClose }: CopyOnceProps): ReactNode => {
  const { isCopied, isRefused, copy } = useCopy();
  const id = useId();
  return (
    <Dialog
      title={title}
      isWide
      onClose={() => isCopied && onClose()}
      end={
        <Button variant={isCopied ? 'primary' : 'plain'} onClick={onClose}>
          {controlText('done')}
        </Button>
      }
    >
      <div className="stack">
        <p>{text}</p>
        <div className="totp-secret is-long" role="group" aria-labelledby={id}>
          <span className="visually-hidden" id={id}>
            {label}
          </span>
          <code>{value}</code>
          <Button variant={isCopied ? 'plain' : 'primary'} data-autofocus onClick={() => void copy(value)}>
            {isCopied ? <Check {...ICON} /> : <Copy {...ICON} />}
            {controlText(isCopied ? 'copied' : 'copy')}
          </Button>
        </div>
        {isRefused && <Alert tone="warn">{controlText('copyRefused')}</Alert>}
      </div>
    </Dialog>
  );
};
