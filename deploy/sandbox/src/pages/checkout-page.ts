import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import { needsConfirmation, problemOf, type CardEntry, type Decline } from '../model/card.rules.ts';
import { payCheckout } from '../billing/pay-checkout.ts';
import { refId, randomText } from '../ids.ts';
import { StripeError } from '../model/errors.ts';
import { money } from '../model/invoice.ts';
import { now, type World } from '../context.ts';
import {
  cardFields,
  cardFromValues,
  confirmationForm,
  noValues,
  readCardValues,
  testCards,
} from './card-form.ts';
import type { CardValues } from './card-form.ts';
import { html, webAddress, type Html } from './html.ts';
import { plainPage, showPage } from './layout.ts';

type Session = Stripe.Checkout.Session;

type Shown = {
  values: CardValues;
  email: string;
  problem: Decline | null;
};

const openSession = (world: World, request: Request, response: Response): Session | null => {
  const session = world.state.checkoutSessions.get(String(request.params.id));
  if (session?.status === 'open') return session;
  if (!session) {
    const body = html`<h1>Not found</h1>
      <p>There is no such checkout session.</p>`;
    showPage(response, { title: 'Not found', body, status: 404 });
  } else if (session.status === 'complete') {
    plainPage(response, "You're all done here", 'This checkout has been paid. You can close this page.');
  } else {
    plainPage(
      response,
      'This page has expired',
      'Go back to where you came from and begin the checkout anew.',
    );
  }
  return null;
};

const orderLine = (item: Stripe.LineItem): Html => {
  const interval = item.price?.recurring?.interval ?? 'month';
  return html`<p>${item.description}</p>
    <p><span class="big">${money(item.amount_total, item.currency)}</span> per ${interval}</p>`;
};

const emailField = (world: World, { session, email }: Shown & { session: Session }): Html => {
  const customer = world.state.customers.get(refId(session.customer) ?? '');
  const known = customer?.email ?? session.customer_email;
  return html`<div class="field">
    <label for="email">Email</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="email"
      required
      value="${known ?? email}"
      ${known !== null && known !== undefined && html`readonly`}
    />
  </div>`;
};

const showForm = (world: World, response: Response, shown: Shown & { session: Session }): void => {
  const { session, problem } = shown;
  const back = webAddress(session.cancel_url);
  const body = html`<h1>Subscribe</h1>
    ${back !== null && html`<p><a href="${back}">Back</a></p>`}
    <div class="split">
      <section class="panel" aria-labelledby="order">
        <h2 id="order">Your order</h2>
        ${(world.state.lineItems.get(session.id) ?? []).map(orderLine)}
        <p class="caption">Renews by itself until you cancel.</p>
      </section>
      <section class="panel" aria-labelledby="pay">
        <h2 id="pay">Pay by card</h2>
        <form method="post" action="/c/pay/${session.id}">
          ${emailField(world, shown)} ${cardFields(shown.values, problem)}
          <button class="primary wide">Subscribe</button>
        </form>
      </section>
    </div>
    ${testCards}`;
  showPage(response, { title: 'Subscribe', body, status: problem === null ? 200 : 402 });
};

export const showCheckout = (world: World, request: Request, response: Response): void => {
  const session = openSession(world, request, response);
  if (session) showForm(world, response, { session, values: noValues, email: '', problem: null });
};

type Payment = {
  session: Session;
  card: CardEntry;
  isConfirmed: boolean;
  email: string;
  values: CardValues;
};

const pay = (world: World, response: Response, payment: Payment): void => {
  const { session, values, email } = payment;
  try {
    payCheckout(world, session, payment);
    const target = (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    response.redirect(303, target);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    const { code = '', message, param } = error.body;
    const problem = { code, message, ...(param !== undefined && { param }) };
    showForm(world, response, { session, values, email, problem });
  }
};

const askForConfirmation = (
  world: World,
  response: Response,
  { session, card }: Pick<Payment, 'session' | 'card'>,
): void => {
  const token = randomText(24);
  world.waitingCards.set(token, card);
  const title = 'Authenticate your payment';
  showPage(response, {
    title,
    body: confirmationForm({ title, action: `/c/pay/${session.id}`, token }),
  });
};

export const submitCheckout = (world: World, request: Request, response: Response): void => {
  const session = openSession(world, request, response);
  if (!session) return;
  const form = (request.body ?? {}) as Record<string, unknown>;
  const email = typeof form.email === 'string' ? form.email.trim() : '';
  const waiting = world.waitingCards.get(String(form.token));
  if (waiting) {
    world.waitingCards.delete(String(form.token));
    const isConfirmed = form.outcome === 'complete';
    pay(world, response, { session, card: waiting, isConfirmed, email, values: noValues });
    return;
  }
  const values = readCardValues(form);
  const card = cardFromValues(values);
  if (needsConfirmation(card.number) && problemOf(card, now(world)) === null) {
    askForConfirmation(world, response, { session, card });
    return;
  }
  pay(world, response, { session, card, isConfirmed: false, email, values });
};
