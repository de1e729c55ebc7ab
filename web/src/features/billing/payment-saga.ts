import type { PayloadAction } from '@reduxjs/toolkit';
import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { call, delay, put, select, takeLatest, type Effect } from 'redux-saga/effects';
import { failureOf, isTransient, type Failure } from '../../lib/api/api-error.ts';
import { call as callEndpoint } from '../../lib/api/call.ts';
import { clearPendingPayment, markPaymentPending } from '../../lib/data/pending-payment.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { paymentConfirmation, type ConfirmationRequest } from '../../lib/state/payment-confirmation.ts';
import type { RootState } from '../../lib/state/reducers.ts';

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
    return;
  }
  yield put(paymentConfirmation.progressed({ step: 'confirmed', user: outcome.user }));
  yield call(revalidate, ['subscription']);
  yield delay(RESULT_AFTER_MS);
  yield put(paymentConfirmation.progressed({ step: 'done', user: outcome.user }));
}

/** Confirms payments. The success page starts it. */
export function* paymentSaga(): Generator<Effect, void, unknown> {
  yield takeLatest(paymentConfirmation.requested.type, confirmPayment);
}
