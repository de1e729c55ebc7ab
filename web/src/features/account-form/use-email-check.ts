import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useRef } from 'react';
import { call } from '../../lib/api/call.ts';

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
