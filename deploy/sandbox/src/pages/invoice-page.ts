import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import { attachCard } from '../billing/attach-card.ts';
import { collectInvoice, paymentMethodOf } from '../billing/collect-invoice.ts';
import { now, type Context } from '../context.ts';
import { refId } from '../state.ts';
import { mayRequireAuthentication, validateCard, type CardEntry, type Decline } from '../model/card.rules.ts';
import { isProcessing } from '../model/invoice.ts';
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
import { formatDate, html, type Html, showPage } from './layout.ts';

type FormState = { values: CardValues; problem: Decline | null };

const EMPTY_FORM: FormState = { values: EMPTY_VALUES, problem: null };

const statusText = (context: Context, invoice: Stripe.Invoice): string => {
  const { paid_at } = invoice.status_transitions;
  if (invoice.status === 'paid' && paid_at !== null) return `Paid on ${formatDate(paid_at)}`;
  if (invoice.status === 'void') return 'Void';
  return isProcessing(context, invoice) ? 'The payment is being processed' : 'Not paid yet';
};

const isPayable = (context: Context, invoice: Stripe.Invoice): boolean =>
  (invoice.status === 'open' || invoice.status === 'uncollectible') && !isProcessing(context, invoice);

const savedCard = (context: Context, invoice: Stripe.Invoice): CardEntry | undefined =>
  context.state.cards.get(paymentMethodOf(context, invoice) ?? '');

const payPart = (context: Context, invoice: Stripe.Invoice, { values, problem }: FormState): Html => {
  const card = savedCard(context, invoice);
  const savedCardForm =
    card &&
    html`<form method="post" action="/i/${invoice.id}">
      <input type="hidden" name="saved" value="yes" />
      <button class="primary wide">Pay with the card ending in ${card.number.slice(-4)}</button>
    </form>`;
  return html`<section class="panel" aria-labelledby="pay">
      <h2 id="pay">Pay this invoice</h2>
      ${savedCardForm}
      <form method="post" action="/i/${invoice.id}">
        ${cardFields(values, problem)}
        <button class="wide">Pay with this card</button>
      </form>
    </section>
    ${TEST_CARDS}`;
};

const linePart = (line: Stripe.InvoiceLineItem): Html =>
  html`<tr>
    <td class="text">${line.description}</td>
    <td>${formatDate(line.period.start)} – ${formatDate(line.period.end)}</td>
    <td>${formatMoney(line.amount, line.currency)}</td>
  </tr>`;

const renderInvoice = (
  context: Context,
  response: Response,
  { invoice, form }: { invoice: Stripe.Invoice; form: FormState },
): void => {
  const title = `Invoice ${invoice.number ?? invoice.id}`;
  const body = html`<h1>${title}</h1>
    <div class="panel">
      <dl>
        <dt>For</dt>
        <dd>${invoice.customer_name ?? invoice.customer_email}</dd>
        <dt>Date</dt>
        <dd>${formatDate(invoice.created)}</dd>
        <dt>Status</dt>
        <dd class="${invoice.status}">${statusText(context, invoice)}</dd>
        <dt>Total</dt>
        <dd>${formatMoney(invoice.total, invoice.currency)}</dd>
      </dl>
      <div class="scroll" tabindex="0">
        <table>
          <tbody>
            ${invoice.lines.data.map(linePart)}
          </tbody>
        </table>
      </div>
    </div>
    ${isPayable(context, invoice) && payPart(context, invoice, form)}`;
  showPage(response, { title, body, status: form.problem === null ? 200 : 402 });
};

const openPage = (context: Context, request: Request, response: Response): Stripe.Invoice | null => {
  const invoice = context.state.invoices.get(String(request.params.id));
  if (invoice) return invoice;
  const body = html`<h1>Not found</h1>
    <p>There is no such invoice.</p>`;
  showPage(response, { title: 'Not found', body, status: 404 });
  return null;
};

/** Shows the hosted invoice page, which is also the receipt once the invoice is paid. */
export const showInvoice = (context: Context, request: Request, response: Response): void => {
  const invoice = openPage(context, request, response);
  if (invoice) renderInvoice(context, response, { invoice, form: EMPTY_FORM });
};

type Payment = { invoice: Stripe.Invoice; card: CardEntry; isAuthenticated: boolean };

const payWithCard = (context: Context, { invoice, card, isAuthenticated }: Payment): Decline | null => {
  const customer = context.state.customers.get(refId(invoice.customer) ?? '');
  if (customer && savedCard(context, invoice)?.number !== card.number)
    attachCard(context, { customer, card });
  return collectInvoice(context, invoice, { by: 'customer', isAuthenticated });
};

const submittedCard = (context: Context, invoice: Stripe.Invoice, body: Record<string, unknown>): CardEntry =>
  (body.saved === 'yes' ? savedCard(context, invoice) : undefined) ?? cardFromValues(readCardValues(body));

const finish = (context: Context, response: Response, payment: Payment): void => {
  const problem = payWithCard(context, payment);
  const { invoice } = payment;
  if (problem) renderInvoice(context, response, { invoice, form: { values: EMPTY_VALUES, problem } });
  else response.redirect(303, `/i/${invoice.id}`);
};

type Submission = { invoice: Stripe.Invoice; body: Record<string, unknown> };

const submitPayment = (context: Context, response: Response, { invoice, body }: Submission): void => {
  const card = submittedCard(context, invoice, body);
  const problem = validateCard(card, now(context));
  if (problem) renderInvoice(context, response, { invoice, form: { values: readCardValues(body), problem } });
  else if (mayRequireAuthentication(card.number))
    showAuthentication(context, response, { action: `/i/${invoice.id}`, card });
  else finish(context, response, { invoice, card, isAuthenticated: false });
};

/** Pays the invoice with the saved card or another one, after the issuer's authentication step where it is required. */
export const submitInvoice = (context: Context, request: Request, response: Response): void => {
  const invoice = openPage(context, request, response);
  if (!invoice) return;
  if (!isPayable(context, invoice)) {
    response.redirect(303, `/i/${invoice.id}`);
    return;
  }
  const body = (request.body ?? {}) as Record<string, unknown>;
  const token = String(body.token);
  const authenticatedCard = context.cardsAwaitingAuthentication.get(token);
  if (!authenticatedCard) return submitPayment(context, response, { invoice, body });
  context.cardsAwaitingAuthentication.delete(token);
  finish(context, response, {
    invoice,
    card: authenticatedCard,
    isAuthenticated: body.outcome === 'complete',
  });
};
