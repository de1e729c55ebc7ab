import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import { attachCard } from '../billing/attach-card.ts';
import { declineOf, needsConfirmation, problemOf } from '../model/card.rules.ts';
import type { CardEntry, Decline } from '../model/card.rules.ts';
import { collectInvoice, paymentMethodOf } from '../billing/collect-invoice.ts';
import { isLive, periodEndOf } from '../billing/subscription-status.ts';
import { randomText } from '../ids.ts';
import { setCancelAtPeriodEnd } from '../stripe/subscriptions.ts';
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
import { html } from './html.ts';
import { dateText, showPage } from './layout.ts';
import { openPortal, showPortal, type Portal } from './portal-page.ts';

export const showPortalHome = (world: World, request: Request, response: Response): void => {
  const portal = openPortal(world, request, response);
  if (portal) showPortal(world, response, portal);
};

const home = ({ session }: Portal) => `/p/session/${session.id}`;

type Question = {
  portal: Portal;
  subscription: Stripe.Subscription;
  isEnding: boolean;
};

const askAboutRenewal = (response: Response, { portal, subscription, isEnding }: Question): void => {
  const until = dateText(periodEndOf(subscription));
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

export const showRenewalQuestion = (world: World, request: Request, response: Response): void => {
  const portal = openPortal(world, request, response);
  if (!portal) return;
  const { subscription } = portal;
  if (subscription && isLive(subscription)) {
    askAboutRenewal(response, { portal, subscription, isEnding: request.path.endsWith('/cancel') });
  } else {
    response.redirect(303, home(portal));
  }
};

export const submitRenewalAnswer = (world: World, request: Request, response: Response): void => {
  const portal = openPortal(world, request, response);
  if (!portal) return;
  const { subscription } = portal;
  if (subscription && isLive(subscription)) {
    setCancelAtPeriodEnd(world, subscription.id, request.path.endsWith('/cancel'));
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
    ${testCards}`;
  showPage(response, { title: 'Change card', body, status: problem === null ? 200 : 402 });
};

export const showCardChange = (world: World, request: Request, response: Response): void => {
  const portal = openPortal(world, request, response);
  if (portal) showCardForm(response, portal, { values: noValues, problem: null });
};

export const submitCardChange = (world: World, request: Request, response: Response): void => {
  const portal = openPortal(world, request, response);
  if (!portal) return;
  const values = readCardValues(request.body);
  const card = cardFromValues(values);
  const problem = problemOf(card, now(world)) ?? declineOf(card.number, 'first', true);
  if (problem) {
    showCardForm(response, portal, { values, problem });
    return;
  }
  attachCard(world, { customer: portal.customer, card });
  response.redirect(303, home(portal));
};

type OwnersAnswer = {
  token: string;
  outcome: string;
};

type InvoicePayment = OwnersAnswer & {
  portal: Portal;
  invoice: Stripe.Invoice;
};

const askForConfirmation = (
  world: World,
  response: Response,
  { action, card }: { action: string; card: CardEntry },
): void => {
  const token = randomText(24);
  world.waitingCards.set(token, card);
  const title = 'Authenticate your payment';
  showPage(response, { title, body: confirmationForm({ title, action, token }) });
};

const payInvoice = (world: World, response: Response, payment: InvoicePayment): void => {
  const { portal, invoice, token, outcome } = payment;
  const card = world.state.cards.get(paymentMethodOf(world, invoice) ?? '');
  const isAsked = world.waitingCards.delete(token);
  if (card && needsConfirmation(card.number) && !isAsked) {
    askForConfirmation(world, response, { action: `${home(portal)}/invoices/${invoice.id}/pay`, card });
    return;
  }
  const isConfirmed = isAsked && outcome === 'complete';
  const decline = collectInvoice(world, invoice, { by: 'owner', isConfirmed });
  if (!decline) response.redirect(303, home(portal));
  else
    showPortal(world, response, { ...portal, problem: `${decline.message} Change the card and try again.` });
};

const readAnswer = (body: unknown): OwnersAnswer => {
  const { token, outcome } = (body ?? {}) as Record<string, unknown>;
  return { token: String(token), outcome: String(outcome) };
};

export const submitInvoicePayment = (world: World, request: Request, response: Response): void => {
  const portal = openPortal(world, request, response);
  if (!portal) return;
  const invoice = portal.invoices.find(({ id }) => id === request.params.invoice);
  if (invoice?.status === 'open')
    payInvoice(world, response, { portal, invoice, ...readAnswer(request.body) });
  else response.redirect(303, home(portal));
};
