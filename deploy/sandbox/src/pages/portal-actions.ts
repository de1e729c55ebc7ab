import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import { attachCard } from '../billing/attach-card.ts';
import { collectInvoice, paymentMethodOf } from '../billing/collect-invoice.ts';
import { now, type Context } from '../context.ts';
import { randomText } from '../ids.ts';
import {
  findDecline,
  mayRequireAuthentication,
  validateCard,
  type CardEntry,
  type Decline,
} from '../model/card.rules.ts';
import { isOngoing, periodEndOf } from '../model/subscription.ts';
import { setCancelAtPeriodEnd } from '../stripe/subscriptions.ts';
import {
  EMPTY_VALUES,
  TEST_CARDS,
  authenticationForm,
  cardFields,
  cardFromValues,
  readCardValues,
  type CardValues,
} from './card-form.ts';
import { html } from './html.ts';
import { formatDate, showPage } from './layout.ts';
import { openPortal, showPortal, type Portal } from './portal-page.ts';

export const showPortalHome = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (portal) showPortal(context, response, portal);
};

const home = ({ session }: Portal) => `/p/session/${session.id}`;

type Question = {
  portal: Portal;
  subscription: Stripe.Subscription;
  isEnding: boolean;
};

const renderRenewalConfirmation = (
  response: Response,
  { portal, subscription, isEnding }: Question,
): void => {
  const until = formatDate(periodEndOf(subscription));
  const title = isEnding ? 'Cancel your subscription?' : 'Resume your subscription?';
  const text = isEnding
    ? `You keep what you paid for until ${until}; after that it does not renew.`
    : `It will renew on ${until} as before.`;
  const body = html`<div class="panel">
    <h1>${title}</h1>
    <p>${text}</p>
    <form method="post" class="row">
      <button class="${isEnding ? 'danger' : 'primary'}">
        ${isEnding ? 'Cancel subscription' : 'Resume'}
      </button>
      <a class="button" href="${home(portal)}">Go back</a>
    </form>
  </div>`;
  showPage(response, { title, body });
};

export const showRenewalConfirmation = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (!portal) return;
  const { subscription } = portal;
  if (subscription && isOngoing(subscription)) {
    renderRenewalConfirmation(response, { portal, subscription, isEnding: request.path.endsWith('/cancel') });
  } else {
    response.redirect(303, home(portal));
  }
};

export const submitRenewalChange = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (!portal) return;
  const { subscription } = portal;
  if (subscription && isOngoing(subscription)) {
    setCancelAtPeriodEnd(context, subscription.id, request.path.endsWith('/cancel'));
  }
  response.redirect(303, home(portal));
};

type CardShown = {
  values: CardValues;
  problem: Decline | null;
};

const showCardForm = (response: Response, portal: Portal, { values, problem }: CardShown): void => {
  const body = html`<h1>Change card</h1>
    <p>The new card is used from the next payment on.</p>
    <div class="panel">
      <form method="post" action="${home(portal)}/card">
        ${cardFields(values, problem)}
        <div class="row">
          <button class="primary">Save card</button>
          <a class="button" href="${home(portal)}">Go back</a>
        </div>
      </form>
    </div>
    ${TEST_CARDS}`;
  showPage(response, { title: 'Change card', body, status: problem === null ? 200 : 402 });
};

export const showCardChange = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (portal) showCardForm(response, portal, { values: EMPTY_VALUES, problem: null });
};

export const submitCardChange = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (!portal) return;
  const values = readCardValues(request.body);
  const card = cardFromValues(values);
  const problem = validateCard(card, now(context)) ?? findDecline(card.number, 'first', true);
  if (problem) {
    showCardForm(response, portal, { values, problem });
    return;
  }
  attachCard(context, { customer: portal.customer, card });
  response.redirect(303, home(portal));
};

type AuthenticationResult = {
  token: string;
  outcome: string;
};

type InvoicePayment = AuthenticationResult & {
  portal: Portal;
  invoice: Stripe.Invoice;
};

const showAuthentication = (
  context: Context,
  response: Response,
  { action, card }: { action: string; card: CardEntry },
): void => {
  const token = randomText(24);
  context.unauthenticatedCards.set(token, card);
  const title = 'Authenticate your payment';
  showPage(response, { title, body: authenticationForm({ title, action, token }) });
};

const payInvoice = (context: Context, response: Response, payment: InvoicePayment): void => {
  const { portal, invoice, token, outcome } = payment;
  const card = context.state.cards.get(paymentMethodOf(context, invoice) ?? '');
  const isAsked = context.unauthenticatedCards.delete(token);
  if (card && mayRequireAuthentication(card.number) && !isAsked) {
    showAuthentication(context, response, { action: `${home(portal)}/invoices/${invoice.id}/pay`, card });
    return;
  }
  const isAuthenticated = isAsked && outcome === 'complete';
  const decline = collectInvoice(context, invoice, { by: 'owner', isAuthenticated });
  if (!decline) response.redirect(303, home(portal));
  else
    showPortal(context, response, {
      ...portal,
      problem: `${decline.message} Change the card and try again.`,
    });
};

const readAuthenticationResult = (body: unknown): AuthenticationResult => {
  const { token, outcome } = (body ?? {}) as Record<string, unknown>;
  return { token: String(token), outcome: String(outcome) };
};

export const submitInvoicePayment = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (!portal) return;
  const invoice = portal.invoices.find(({ id }) => id === request.params.invoice);
  if (invoice?.status === 'open')
    payInvoice(context, response, { portal, invoice, ...readAuthenticationResult(request.body) });
  else response.redirect(303, home(portal));
};
