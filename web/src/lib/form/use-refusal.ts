import { useEffect } from 'react';
import type { Failure } from '../api/api-error.ts';
import type { Form, Values } from './use-form.ts';

/** Shows the errors of a refused submit at their fields, and leads to the first of them. */
export const useRefusal = <V extends Values>(
  { setRefused, focusInvalid }: Form<V>,
  failure: Failure | null,
): void => {
  useEffect(() => {
    if (failure === null) return;
    setRefused(failure.fields);
    focusInvalid();
  }, [failure, setRefused, focusInvalid]);
};
