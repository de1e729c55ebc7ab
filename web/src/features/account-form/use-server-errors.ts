import type { FieldMessages } from '@shortlist/contracts/errors';
import { useEffect, useState } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import type { AccountFormState } from './account-fields.tsx';
import type { AccountValues } from './account-values.ts';
import { pictureProblem } from './picture-rules.ts';

const inFormNames = ({ country, ...rest }: FieldMessages): FieldMessages =>
  country === undefined ? rest : { ...rest, selectCountry: country };

const PICTURE_CODES = ['profile.picture_type', 'profile.picture_size'];

const isPictureFailure = ({ code }: Failure): boolean => PICTURE_CODES.includes(code);

/** The server's refusals at the fields they belong to. */
const fieldErrors = ({ code, fields, message }: Failure): FieldMessages =>
  code === 'identity.email_taken' ? { email: message } : inFormNames(fields);

/** A failure as far as the form itself must tell it: not when all of it is told where it belongs. */
export const formFailure = (failure: Failure | null, values: AccountValues): Failure | null => {
  if (failure === null || isPictureFailure(failure)) return null;
  const names = Object.keys(fieldErrors(failure));
  return names.length > 0 && names.every((name) => name in values) ? null : failure;
};

/** The picture that was chosen, and what speaks against it: here, or at the server until another is chosen. */
export const usePicture = (failure: Failure | null) => {
  const [file, setFile] = useState<File | null>(null);
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
    if (pickedProblem === null) setFile(picked);
  };
  return { file, rejected, error: problem ?? serverError, pick };
};

/** What the server said of single fields is shown at them, and the first of them is led to. */
export const useServerErrors = (
  { setServerErrors, focusInvalid }: AccountFormState,
  failure: Failure | null,
): void =>
  useEffect(() => {
    if (failure === null) return;
    setServerErrors(fieldErrors(failure));
    focusInvalid();
  }, [failure, setServerErrors, focusInvalid]);
