import { useEffect, useId, type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import type { Form, Values } from '../../lib/form/use-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type ChangeDialogProps<V extends Values> = {
  title: string;
  text: string;
  submit: string;
  cancel: string;
  form: Form<V>;
  command: { isBusy: boolean; failure: Failure | null; run: (values: V) => Promise<void> };
  onClose: () => void;
  children: ReactNode;
};

/** A dialog with the form of one change. Errors of the server are shown at their fields, or above all of them. */
export const ChangeDialog = <V extends Values>({
  form,
  command: { isBusy, failure, run },
  ...props
}: ChangeDialogProps<V>): ReactNode => {
  const { setServerErrors, focusInvalid } = form;
  const formId = useId();
  useEffect(() => {
    if (failure === null) return;
    setServerErrors(failure.fields);
    focusInvalid();
  }, [failure, setServerErrors, focusInvalid]);
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      end={
        <>
          <Button onClick={props.onClose}>{props.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy || form.isSubmitting}>
            {props.submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="stack"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        <p>{props.text}</p>
        {failure !== null && Object.keys(failure.fields).length === 0 && (
          <Alert tone="bad">{failure.message}</Alert>
        )}
        {props.children}
      </form>
    </Dialog>
  );
};
