import { useCallback, useEffect, useState } from 'react';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { paymentConfirmation, type Confirmation } from '../../lib/state/payment-confirmation.ts';
import { useSaga } from '../../lib/state/use-saga.ts';
import { paymentSaga } from './payment-saga.ts';

type Confirming = { confirmation: Confirmation; retry: () => void };

/** Confirms the payment of a checkout while its page is open. An empty `xsl` is no checkout. */
export const useConfirmation = (xsl: string): Confirming => {
  const auth = useAppSelector((state) => state.endUserAuth);
  const token = auth.isEndUserLoggedIn ? auth.endUserToken : null;
  const userId = auth.endUserInfo?.id ?? null;
  const confirmation = useAppSelector((state) => state.paymentConfirmation.confirmation);
  const [attempt, setAttempt] = useState(0);
  const dispatch = useAppDispatch();
  useSaga(paymentSaga);

  useEffect(() => {
    if (xsl === '' || token === null || userId === null) return undefined;
    dispatch(paymentConfirmation.requested({ xsl, token, userId }));
    return () => void dispatch(paymentConfirmation.closed());
  }, [dispatch, xsl, token, userId, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { confirmation, retry };
};
