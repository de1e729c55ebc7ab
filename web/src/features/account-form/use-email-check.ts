import { publicDoors } from '@shortlist/contracts/api/public';
import { ERRORS, type FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useRef } from 'react';
import { call } from '../../lib/api/call.ts';

/** Asks whether the address is free. A failed question says nothing: the sign-up itself asks again. */
export const useEmailCheck = (setServerErrors: (fields: FieldMessages) => void) => {
  const latestEmail = useRef('');
  return useCallback(
    async (email: string): Promise<void> => {
      latestEmail.current = email;
      const response = await call(publicDoors.emailAvailability, { email }).catch(() => null);
      // An answer about an address that was changed meanwhile is of no use.
      if (response?.available === false && latestEmail.current === email)
        setServerErrors({ email: ERRORS['identity.email_taken'][1] });
    },
    [setServerErrors],
  );
};
