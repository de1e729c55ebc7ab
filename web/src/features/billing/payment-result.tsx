import type { PayloadAction } from '@reduxjs/toolkit';
import type { UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { nextMonth } from '@shortlist/contracts/plan-months';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call, delay, type Effect, put, select, takeLatest } from 'redux-saga/effects';
import { type Failure, failureOf, isTransient } from '../../lib/api/api-error.ts';
import { call as callEndpoint } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { clearPendingPayment, markPaymentPending, useSubscription } from '../../lib/data/use-plan.ts';
import { shortTime } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useAppSelector, useSaga, useSession } from '../../lib/state/hooks.tsx';
import {
  type Confirmation,
  type ConfirmationRequest,
  paymentConfirmation,
} from '../../lib/state/payment-confirmation.ts';
import type { RootState } from '../../lib/state/reducers.ts';
import { isTrial } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Heading } from '../../ui/page-header.tsx';
import { Details } from '../../ui/panel.tsx';
import { DoneMark } from './result-panel.tsx';

const RESULT_AFTER_MS = 1_000;
const FIRST_RETRY_MS = 2_000;
const RETRIES = 4;

type Outcome = { user: UserView } | { failure: Failure };

const confirm = ({ xsl, token, userId }: ConfirmationRequest): Promise<Outcome> =>
  callEndpoint(publicEndpoints.confirmPayment, { user: { id: userId }, xsl }, { token }).then(
    ({ data }) => ({ user: data }),
    (thrown: unknown) => ({ failure: failureOf(thrown) }),
  );

/**
 * Requests the confirmation until billing settles it. Closing the page only ends the retries: the result of a running
 * request still counts, because the plan is shown as pending on every page.
 */
function* confirmUntilSettled(request: ConfirmationRequest): Generator<Effect, Outcome, unknown> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = (yield call(confirm, request)) as Outcome;
    if ('user' in outcome || attempt >= RETRIES || !isTransient(outcome.failure)) return outcome;
    yield delay(FIRST_RETRY_MS * 2 ** attempt);
    const { isOpen } = ((yield select()) as RootState).paymentConfirmation;
    if (!isOpen) return outcome;
  }
}

function* confirmPayment({
  payload: request,
}: PayloadAction<ConfirmationRequest>): Generator<Effect, void, unknown> {
  yield call(markPaymentPending, request.userId);
  const outcome = yield* confirmUntilSettled(request);
  if ('failure' in outcome) {
    const isFinal = !isTransient(outcome.failure);
    if (isFinal) yield call(clearPendingPayment, request.userId);
    yield put(paymentConfirmation.progressed({ step: 'failed', failure: outcome.failure, isFinal }));
    // What was read while the page opened is outdated: a trial that was refused is offered no more.
    if (isFinal) yield call(revalidate, ['subscription']);
    return;
  }
  yield put(paymentConfirmation.progressed({ step: 'confirmed', user: outcome.user }));
  yield call(revalidate, ['subscription']);
  yield delay(RESULT_AFTER_MS);
  yield put(paymentConfirmation.progressed({ step: 'done', user: outcome.user }));
}

/** Confirms payments. The success page starts it. */
function* paymentSaga(): Generator<Effect, void, unknown> {
  yield takeLatest(paymentConfirmation.requested.type, confirmPayment);
}

type Confirming = { confirmation: Confirmation; retry: () => void };

/** Confirms the payment of a checkout while its page is open. An empty `xsl` is no checkout. */
export const useConfirmation = (xsl: string): Confirming => {
  const session = useSession('user');
  const token = session.isLoggedIn ? session.token : null;
  const userId = session.user?.id ?? null;
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

export const Congratulations = ({ children }: { children?: ReactNode }): ReactNode => (
  <>
    <DoneMark />
    <div>
      <Heading>{billingText('congratulations')}</Heading>
      {children}
    </div>
  </>
);

const periodOf = (user: UserView): readonly (readonly [string, string])[] => {
  const start = user.current_period_start ?? user.last_credit_reset;
  if (start === null) return [];
  const end = user.current_period_end ?? nextMonth(new Date(start));
  return [
    [billingText('start'), shortTime(start)],
    [billingText('end'), shortTime(end)],
  ];
};

/** A trial that has begun was not paid. */
const usePaidText = (): string => {
  const { data } = useSubscription();
  return billingText(data !== undefined && isTrial(data) ? 'trialStarted' : 'processed');
};

export const PaymentResult = ({ user }: { user: UserView }): ReactNode => (
  <>
    <Congratulations>
      <p>{billingText('thankYou')}</p>
    </Congratulations>
    <p className="card-title">{usePaidText()}</p>
    <Details rows={periodOf(user)} />
    <p>{billingText('enjoy')}</p>
    <ButtonLink variant="primary" to={paths.home}>
      {billingText('goHome')}
    </ButtonLink>
  </>
);
