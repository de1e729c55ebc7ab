import { type ReactNode, useId } from 'react';
import type { Failure } from '../lib/api/api-error.ts';
import { type Form, useRefusal, type Values } from '../lib/form/use-form.ts';
import { controlText } from '../messages/shell.ts';
import { FailureAlert } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

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
