import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import {
  type AccountFormState,
  type AccountValues,
  byInputName,
  type PictureChoice,
  pictureProblem,
} from './account-values.ts';

const PICTURE_CODES = ['profile.picture_type', 'profile.picture_size'];

const isPictureFailure = ({ code }: Failure): boolean => PICTURE_CODES.includes(code);

/** The server's messages by the input they belong to. */
const fieldErrors = ({ code, fields, message }: Failure): FieldMessages =>
  code === 'identity.email_taken' ? { email: message } : byInputName(fields);

/** The failure that the form shows above its buttons: none when every message is shown at its input. */
export const formFailure = (failure: Failure | null, values: AccountValues): Failure | null => {
  if (failure === null || isPictureFailure(failure)) return null;
  const names = Object.keys(fieldErrors(failure));
  return names.length > 0 && names.every((name) => name in values) ? null : failure;
};

/** The chosen picture and its error. The server's error is shown until another file is chosen. */
export const usePicture = (failure: Failure | null) => {
  const [choice, setChoice] = useState<PictureChoice>(null);
  const [rejected, setRejected] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [dismissedFailure, setDismissedFailure] = useState<Failure | null>(null);
  const serverError =
    failure !== null && failure !== dismissedFailure && isPictureFailure(failure)
      ? failure.message
      : undefined;
  const pick = (picked: File | null): void => {
    const pickedProblem = picked === null ? null : pictureProblem(picked);
    setDismissedFailure(failure);
    setProblem(pickedProblem);
    setRejected(pickedProblem === null ? null : picked);
    if (pickedProblem === null) setChoice(picked);
  };
  const remove = (): void => {
    pick(null);
    setChoice('removed');
  };
  const file = choice === 'removed' ? null : choice;
  return { choice, file, rejected, error: problem ?? serverError, pick, remove };
};

/** Shows the server's messages at their inputs and focuses the first of them. */
export const useServerErrors = (
  { setRefused, focusInvalid }: AccountFormState,
  failure: Failure | null,
): void =>
  useEffect(() => {
    if (failure === null) return;
    setRefused(fieldErrors(failure));
    focusInvalid();
  }, [failure, setRefused, focusInvalid]);

/** Checks whether an email is available. A failed check is ignored, because the sign-up checks again. */
export const useEmailCheck = (setServerErrors: (fields: FieldMessages) => void) => {
  const latestEmail = useRef('');
  return useCallback(
    async (email: string): Promise<void> => {
      latestEmail.current = email;
      const response = await call(publicEndpoints.emailAvailability, { email }).catch(() => null);
      // The user may have changed the email before the response.
      if (response?.available === false && latestEmail.current === email)
        setServerErrors({ email: ERRORS['identity.email_taken'][1] });
    },
    [setServerErrors],
  );
};
