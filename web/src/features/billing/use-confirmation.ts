import { publicDoors, type UserView } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, useState } from 'react';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { clearPendingPayment, markPaymentPending } from '../../lib/data/pending-payment.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { isTransient } from './transient-failure.ts';

const RESULT_AFTER_MS = 1_000;
const FIRST_RETRY_MS = 2_000;
const RETRIES = 4;

/** 'sent' is the second between the answer and its showing. */
export type Confirmation =
  | { step: 'processing' }
  | { step: 'sent' | 'done'; user: UserView }
  | { step: 'failed'; failure: Failure; isFinal: boolean };

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

type Asked = { xsl: string; token: string; userId: string; signal: AbortSignal };

/**
 * Asks until there is an answer. Leaving the page ends only the asking again: the answer to what is under way is still
 * heard, since the person waits for it wherever they are.
 */
const confirm = async ({ xsl, token, userId, signal }: Asked): Promise<UserView> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await call(publicDoors.confirmPayment, { user: { id: userId }, xsl }, { token })).data;
    } catch (thrown) {
      if (attempt >= RETRIES || !isTransient(failureOf(thrown))) throw thrown;
      await pause(FIRST_RETRY_MS * 2 ** attempt);
      if (signal.aborted) throw thrown;
    }
  }
};

/** The payment is waited for from the asking until it is settled, or refused for good. */
const settle = async (asked: Asked, show: (confirmation: Confirmation) => void): Promise<void> => {
  markPaymentPending(asked.userId);
  try {
    const user = await confirm(asked);
    show({ step: 'sent', user });
    await revalidate(['subscription']);
    await pause(RESULT_AFTER_MS);
    show({ step: 'done', user });
  } catch (thrown) {
    const failure = failureOf(thrown);
    const isFinal = !isTransient(failure);
    if (isFinal) clearPendingPayment(asked.userId);
    show({ step: 'failed', failure, isFinal });
  }
};

/** Sends the payment update for a checkout, and shows its result one second after the answer. '' is no checkout. */
export const useConfirmation = (xsl: string) => {
  const auth = useAppSelector((state) => state.endUserAuth);
  const token = auth.isEndUserLoggedIn ? auth.endUserToken : null;
  const userId = auth.endUserInfo?.id ?? null;
  const [confirmation, setConfirmation] = useState<Confirmation>({ step: 'processing' });
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (xsl === '' || token === null || userId === null) return undefined;
    const end = new AbortController();
    const { signal } = end;
    void settle({ xsl, token, userId, signal }, (next) => {
      if (!signal.aborted) setConfirmation(next);
    });
    return () => end.abort();
  }, [xsl, token, userId, round]);

  const retry = useCallback(() => {
    setConfirmation({ step: 'processing' });
    setRound((before) => before + 1);
  }, []);
  return { confirmation, retry };
};
