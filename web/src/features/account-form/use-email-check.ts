import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useRef } from 'react';
import { call } from '../../lib/api/call.ts';

/** Asks whether the address is free. A failed question says nothing: the sign-up itself asks again. */
export const useEmailCheck = (refuse: (fields: FieldMessages) => void) => {
  const asked = useRef('');
  return useCallback(
    async (email: string): Promise<void> => {
      asked.current = email;
      const reply = await call(publicEndpoints.emailAvailability, { email }).catch(() => null);
      // An answer about an address that was changed meanwhile is of no use.
      if (reply?.available === false && asked.current === email)
        refuse({ email: ERRORS['identity.email_taken'][1] });
    },
    [refuse],
  );
};
