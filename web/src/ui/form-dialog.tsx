import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useId } from 'react';
import type { Failure } from '../lib/api/api-error.ts';
import { type Form, useRefusal, type Values } from '../lib/form/use-form.ts';
import { useCopy } from '../lib/use-copy.ts';
import { controlText } from '../messages/shell.ts';
import { Alert, FailureAlert } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ICON } from './inline.tsx';

type FormDialogProps<V extends Values> = {
  title: string;
  text?: string;
  submit: string;
  cancel?: string;
  isWide?: boolean;
  form: Form<V>;
  command: { isBusy: boolean; failure: Failure | null; run: (values: V) => Promise<void> };
  /** What stands for a failure that belongs to no field. */
  renderFailure?: (failure: Failure) => ReactNode;
  onFocus?: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog with one form. Errors of the server are shown at their fields, or above all of them. */
export const FormDialog = <V extends Values>({
  title,
  text,
  submit,
  cancel = controlText('cancel'),
  isWide = false,
  form,
  command: { isBusy, failure, run },
  renderFailure = (shown) => <FailureAlert failure={shown} />,
  onFocus,
  onClose,
  children,
}: FormDialogProps<V>): ReactNode => {
  const formId = useId();
  useRefusal(form, failure);
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      end={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy || form.isSubmitting}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="stack"
        noValidate
        onFocus={onFocus}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        {text !== undefined && <p>{text}</p>}
        {failure !== null && Object.keys(failure.fields).length === 0 && renderFailure(failure)}
        {children}
      </form>
    </Dialog>
  );
};

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
