import type { CreditPack } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type Failure, failureOf, isTransient } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { paths } from '../../lib/paths.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Heading } from '../../ui/page-header.tsx';
import { DoneMark } from './result-panel.tsx';

const FIRST_RETRY_MS = 2_000;
const RETRIES = 4;

export type PackConfirmation =
  | { step: 'processing' }
  | { step: 'done'; pack: CreditPack }
  | { step: 'failed'; failure: Failure; isFinal: boolean };

const PROCESSING: PackConfirmation = { step: 'processing' };

/** The provider may report a payment some seconds after it was made, and the bank some days. */
const mayChange = (failure: Failure): boolean =>
  isTransient(failure) || failure.code === 'billing.pack_processing';

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Requests the confirmation until billing settles it, a few times at most, or until the page is left. */
const confirm = async (xsl: string, token: string, signal: AbortSignal): Promise<PackConfirmation> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { data } = await call(publicEndpoints.confirmPack, { xsl }, { token });
      return { step: 'done', pack: data };
    } catch (thrown) {
      const failure = failureOf(thrown);
      const isFinal = !mayChange(failure);
      if (!isFinal && attempt < RETRIES) await pause(FIRST_RETRY_MS * 2 ** attempt, signal);
      if (isFinal || attempt >= RETRIES || signal.aborted) return { step: 'failed', failure, isFinal };
    }
  }
};

/** Confirms the payment of a pack while its page is open. An empty `xsl` is no checkout. */
export const usePackConfirmation = (xsl: string): { confirmation: PackConfirmation; retry: () => void } => {
  const token = useUserToken();
  const [confirmation, setConfirmation] = useState<PackConfirmation>(PROCESSING);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (xsl === '' || token === null) return undefined;
    const leaving = new AbortController();
    void confirm(xsl, token, leaving.signal).then((result) => {
      if (leaving.signal.aborted) return;
      setConfirmation(result);
      if (result.step === 'done') void revalidate(['subscription']);
    });
    return () => leaving.abort();
  }, [xsl, token, attempt]);
  const retry = useCallback(() => {
    setConfirmation(PROCESSING);
    setAttempt((count) => count + 1);
  }, []);
  return { confirmation, retry };
};

export const PackResult = ({ pack: { credits, paidCredits } }: { pack: CreditPack }): ReactNode => (
  <>
    <DoneMark />
    <div>
      <Heading>{billingText('packAdded', { credits })}</Heading>
      <p>{billingText('packAddedText')}</p>
      {/* The page may be opened again after a refund. */}
      {paidCredits < credits && <p>{billingText('packLess', { credits, paid: paidCredits })}</p>}
    </div>
    <ButtonLink variant="primary" to={paths.credits}>
      {billingText('goToCredits')}
    </ButtonLink>
  </>
);
