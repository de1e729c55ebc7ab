import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import { attachCard } from '../billing/attach-card.ts';
import { collectInvoice, paymentMethodOf } from '../billing/collect-invoice.ts';
import { now, type Context } from '../context.ts';
import { findDecline, mayRequireAuthentication, validateCard, type Decline } from '../model/card.rules.ts';
import { isOngoing, periodEndOf } from '../model/subscription.ts';
import { setCancelAtPeriodEnd } from '../stripe/subscriptions.ts';
import {
  cardFields,
  cardFromValues,
  type CardValues,
  EMPTY_VALUES,
  readCardValues,
  showAuthentication,
  TEST_CARDS,
} from './card-form.ts';
import { formatDate, html, httpUrl, showPage } from './layout.ts';
import { openPortal, showPortal, type Portal } from './portal-page.ts';

export const showPortalHome = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (portal) showPortal(context, response, portal);
};

const portalUrl = ({ session }: Portal) => `/p/session/${session.id}`;

type RenewalConfirmation = {
  portal: Portal;
  subscription: Stripe.Subscription;
  isCancellation: boolean;
};

const renderRenewalConfirmation = (
  response: Response,
  { portal, subscription, isCancellation }: RenewalConfirmation,
): void => {
  const periodEnd = formatDate(periodEndOf(subscription));
  const title = isCancellation ? 'Cancel your subscription?' : 'Resume your subscription?';
  const text = isCancellation
    ? `You keep what you paid for until ${periodEnd}; after that it does not renew.`
    : `It will renew on ${periodEnd} as before.`;
  const body = html`<div class="panel">
    <h1>${title}</h1>
    <p>${text}</p>
    <form method="post" class="row">
      <button class="${isCancellation ? 'danger' : 'primary'}">
        ${isCancellation ? 'Cancel subscription' : 'Resume'}
      </button>
      <a class="button" href="${portalUrl(portal)}">Go back</a>
    </form>
  </div>`;
  showPage(response, { title, body });
};

export const showRenewalConfirmation = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (!portal) return;
  const { subscription } = portal;
  if (subscription && isOngoing(subscription)) {
    renderRenewalConfirmation(response, {
      portal,
      subscription,
      isCancellation: request.path.endsWith('/cancel'),
    });
  } else {
    response.redirect(303, portalUrl(portal));
  }
};

export const submitRenewalChange = (context: Context, request: Request, response: Response): void => {
  const portal = openPortal(context, request, response);
  if (!portal) return;
  const { subscription } = portal;
  if (subscription && isOngoing(subscription)) {
    setCancelAtPeriodEnd(context, subscription.id, request.path.endsWith('/cancel'));
  }
  response.redirect(303, portalUrl(portal));
};

/** Where a session leads that was opened for one change; null for one that was opened on its first page. */
const endOfFlow = ({ session: { flow } }: Portal): string | null =>
  flow === null ? null : httpUrl(flow.after_completion.redirect?.return_url ?? null);

type CardFormState = {
  values: CardValues;
  problem: Decline | null;
};

const showCardForm = (response: Response, portal: Portal, { values, problem }: CardFormState): void => {
  const body = html`<h1>Change card</h1>
    <p>The new card is used from the next payment on.</p>
    <div class="panel">
      <form method="post" action="${portalUrl(portal)}/card">
        ${cardFields(values, problem)}
        <div class="row">
          <button class="primary">Save card</button>
          <a class="button" href="${endOfFlow(portal) ?? portalUrl(portal)}">Go back</a>
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
  response.redirect(303, endOfFlow(portal) ?? portalUrl(portal));
};

type AuthenticationResult = {
  token: string;
  outcome: string;
};

type InvoicePayment = AuthenticationResult & {
  portal: Portal;
  invoice: Stripe.Invoice;
};

const payInvoice = (context: Context, response: Response, payment: InvoicePayment): void => {
  const { portal, invoice, token, outcome } = payment;
  const card = context.state.cards.get(paymentMethodOf(context, invoice) ?? '');
  const wasAuthenticationShown = context.cardsAwaitingAuthentication.delete(token);
  if (card && mayRequireAuthentication(card.number) && !wasAuthenticationShown) {
    showAuthentication(context, response, {
      action: `${portalUrl(portal)}/invoices/${invoice.id}/pay`,
      card,
    });
    return;
  }
  const isAuthenticated = wasAuthenticationShown && outcome === 'complete';
  const decline = collectInvoice(context, invoice, { by: 'customer', isAuthenticated });
  if (!decline) response.redirect(303, portalUrl(portal));
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
  else response.redirect(303, portalUrl(portal));
};
