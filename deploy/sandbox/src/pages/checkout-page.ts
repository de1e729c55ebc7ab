import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import { payCheckout } from '../billing/pay-checkout.ts';
import { now, type Context } from '../context.ts';
import { refId } from '../state.ts';
import { mayRequireAuthentication, validateCard, type CardEntry, type Decline } from '../model/card.rules.ts';
import { StripeError } from '../model/errors.ts';
import { formatMoney } from '../model/balance-transaction.ts';
import {
  cardFields,
  cardFromValues,
  type CardValues,
  EMPTY_VALUES,
  readCardValues,
  showAuthentication,
  TEST_CARDS,
} from './card-form.ts';
import { html, type Html, httpUrl, showMessage, showPage } from './layout.ts';

type Session = Stripe.Checkout.Session;

type FormState = {
  values: CardValues;
  email: string;
  problem: Decline | null;
};

const openSession = (context: Context, request: Request, response: Response): Session | null => {
  const session = context.state.checkoutSessions.get(String(request.params.id));
  if (session?.status === 'open') return session;
  if (!session) {
    const body = html`<h1>Not found</h1>
      <p>There is no such checkout session.</p>`;
    showPage(response, { title: 'Not found', body, status: 404 });
  } else if (session.status === 'complete') {
    showMessage(response, "You're all done here", 'This checkout has been paid. You can close this page.');
  } else {
    showMessage(response, 'This page has expired', 'Go back and start the checkout again.');
  }
  return null;
};

const orderLine = (item: Stripe.LineItem): Html => {
  const interval = item.price?.recurring?.interval;
  return html`<p>${item.description}</p>
    <p>
      <span class="big">${formatMoney(item.amount_total, item.currency)}</span>
      ${interval !== undefined && html`per ${interval}`}
    </p>`;
};

const emailField = (context: Context, { session, email }: FormState & { session: Session }): Html => {
  const customer = context.state.customers.get(refId(session.customer) ?? '');
  const knownEmail = customer?.email ?? session.customer_email;
  return html`<div class="field">
    <label for="email">Email</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="email"
      required
      value="${knownEmail ?? email}"
      ${knownEmail !== null && knownEmail !== undefined && html`readonly`}
    />
  </div>`;
};

const PROMOTION_CODE = html`<div class="field">
  <label for="promotion-code">Promotion code</label>
  <input id="promotion-code" name="promotionCode" autocomplete="off" />
</div>`;

/** The texts of a subscription and of a one-time payment. */
const textsOf = ({ mode }: Session) =>
  mode === 'payment'
    ? { action: 'Pay', terms: 'Paid once. It does not renew.' }
    : { action: 'Subscribe', terms: 'Renews by itself until you cancel.' };

const showForm = (
  context: Context,
  response: Response,
  formState: FormState & { session: Session },
): void => {
  const { session, problem } = formState;
  const backUrl = httpUrl(session.cancel_url);
  const { action, terms } = textsOf(session);
  const { trialDays = 0 } = context.state.subscriptionDrafts.get(session.id) ?? {};
  const body = html`<h1>${action}</h1>
    ${backUrl !== null && html`<p><a href="${backUrl}">Back</a></p>`}
    <div class="split">
      <section class="panel" aria-labelledby="order">
        <h2 id="order">Your order</h2>
        ${(context.state.lineItems.get(session.id) ?? []).map(orderLine)}
        ${trialDays > 0 && html`<p>${trialDays} days free</p>`}
        <p class="caption">${terms}</p>
      </section>
      <section class="panel" aria-labelledby="pay">
        <h2 id="pay">Pay by card</h2>
        <form method="post" action="/c/pay/${session.id}">
          ${emailField(context, formState)} ${cardFields(formState.values, problem)}
          ${session.allow_promotion_codes === true && PROMOTION_CODE}
          <button class="primary wide">${action}</button>
        </form>
      </section>
    </div>
    ${TEST_CARDS}`;
  showPage(response, { title: action, body, status: problem === null ? 200 : 402 });
};

export const showCheckout = (context: Context, request: Request, response: Response): void => {
  const session = openSession(context, request, response);
  if (session) showForm(context, response, { session, values: EMPTY_VALUES, email: '', problem: null });
};

type Payment = {
  session: Session;
  card: CardEntry;
  isAuthenticated: boolean;
  email: string;
  values: CardValues;
  promotionCode?: string | null;
};

const pay = (context: Context, response: Response, payment: Payment): void => {
  const { session, values, email } = payment;
  try {
    payCheckout(context, session, payment);
    const target = (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    response.redirect(303, target);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    const { code = '', message, param } = error.body;
    const problem = { code, message, ...(param !== undefined && { param }) };
    showForm(context, response, { session, values, email, problem });
  }
};

type Submission = { session: Session; form: Record<string, unknown>; email: string };

const submitCard = (context: Context, response: Response, { session, form, email }: Submission): void => {
  const values = readCardValues(form);
  const card = cardFromValues(values);
  if (mayRequireAuthentication(card.number) && validateCard(card, now(context)) === null)
    showAuthentication(context, response, { action: `/c/pay/${session.id}`, card });
  else {
    const code = typeof form['promotionCode'] === 'string' ? form['promotionCode'].trim() : '';
    const promotionCode = code === '' ? null : code;
    pay(context, response, { session, card, isAuthenticated: false, email, values, promotionCode });
  }
};

export const submitCheckout = (context: Context, request: Request, response: Response): void => {
  const session = openSession(context, request, response);
  if (!session) return;
  const form = (request.body ?? {}) as Record<string, unknown>;
  const email = typeof form.email === 'string' ? form.email.trim() : '';
  const pendingCard = context.cardsAwaitingAuthentication.get(String(form.token));
  if (!pendingCard) return submitCard(context, response, { session, form, email });
  context.cardsAwaitingAuthentication.delete(String(form.token));
  const isAuthenticated = form.outcome === 'complete';
  pay(context, response, { session, card: pendingCard, isAuthenticated, email, values: EMPTY_VALUES });
};
