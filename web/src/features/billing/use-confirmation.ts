import { publicDoors, type UserView } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, useState } from 'react';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { clearPendingPayment, markPaymentPending } from '../../lib/data/pending-payment.ts';
import { readAgain } from '../../lib/data/stale.ts';
import { useAppSelector } from '../../lib/state/hooks.ts';

const RESULT_AFTER_MS = 1_000;
const FIRST_RETRY_MS = 2_000;
const RETRIES = 4;

/** 'sent' is the second between the answer and its showing. */
export type Confirmation =
  { step: 'processing' } | { step: 'sent' | 'done'; user: UserView } | { step: 'failed'; failure: Failure };

const FINAL_CODES = ['billing.not_paid', 'billing.checkout_not_found'];

/** A failure that may pass by itself is tried again; one that is an answer about this payment is not. */
const isPassing = ({ status }: Failure): boolean => status === 0 || status === 429 || status >= 500;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

type Asked = { xsl: string; token: string; user: UserView | null; signal: AbortSignal };

const confirm = async ({ xsl, token, user, signal }: Asked): Promise<UserView> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await call(publicDoors.confirmPayment, { user: { id: user?.id }, xsl }, { token, signal }))
        .data;
    } catch (thrown) {
      if (attempt >= RETRIES || signal.aborted || !isPassing(failureOf(thrown))) throw thrown;
      await pause(FIRST_RETRY_MS * 2 ** attempt);
    }
  }
};

/** Sends the payment update for a checkout, and shows its result one second after the answer. */
export const useConfirmation = (xsl: string | null) => {
  const {
    endUserToken: token,
    endUserInfo,
    isEndUserLoggedIn,
  } = useAppSelector((state) => state.endUserAuth);
  const [confirmation, setConfirmation] = useState<Confirmation>({ step: 'processing' });
  const [round, setRound] = useState(0);
  const userId = endUserInfo?.id;

  useEffect(() => {
    if (xsl === null || !isEndUserLoggedIn || token === null) return undefined;
    const end = new AbortController();
    const send = async (): Promise<void> => {
      markPaymentPending();
      const user = await confirm({ xsl, token, user: endUserInfo, signal: end.signal });
      if (end.signal.aborted) return;
      setConfirmation({ step: 'sent', user });
      await readAgain(['subscription']);
      await pause(RESULT_AFTER_MS);
      if (!end.signal.aborted) setConfirmation({ step: 'done', user });
    };
    send().catch((thrown: unknown) => {
      const failure = failureOf(thrown);
      if (FINAL_CODES.includes(failure.code)) clearPendingPayment();
      if (!end.signal.aborted) setConfirmation({ step: 'failed', failure });
    });
    return () => end.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a person's other details change with every reading; only who they are matters here
  }, [xsl, token, isEndUserLoggedIn, userId, round]);

  const retry = useCallback(() => {
    setConfirmation({ step: 'processing' });
    setRound((before) => before + 1);
  }, []);
  return { confirmation, retry };
};
