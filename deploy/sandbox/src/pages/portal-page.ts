import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../state.ts';
import { formatMoney } from '../model/balance-transaction.ts';
import { isOngoing, periodEndOf } from '../model/subscription.ts';
import { formatDate, html, type Html, httpUrl, showPage, tableOf } from './layout.ts';

export type Portal = {
  session: Stripe.BillingPortal.Session;
  customer: Stripe.Customer;
  subscription: Stripe.Subscription | null;
  invoices: Stripe.Invoice[];
  problem: string | null;
};

export const openPortal = (context: Context, request: Request, response: Response): Portal | null => {
  const { portalSessions, customers, subscriptions, invoices } = context.state;
  const session = portalSessions.get(String(request.params.id));
  const customer = customers.get(session?.customer ?? '');
  if (!session || !customer) {
    const body = html`<h1>Not found</h1>
      <p>There is no such portal session. Go back and open the portal again.</p>`;
    showPage(response, { title: 'Not found', body, status: 404 });
    return null;
  }
  const belongsToCustomer = (row: { customer: Stripe.Invoice['customer'] }) =>
    refId(row.customer) === customer.id;
  const customerSubscriptions = [...subscriptions.values()].filter(belongsToCustomer).reverse();
  return {
    session,
    customer,
    subscription: customerSubscriptions.find(isOngoing) ?? customerSubscriptions[0] ?? null,
    invoices: [...invoices.values()].filter(belongsToCustomer).reverse(),
    problem: null,
  };
};

export const productText = (context: Context, price: Stripe.Price): Html => {
  const product = context.state.products.get(refId(price.product) ?? '');
  const amount = formatMoney(price.unit_amount ?? 0, price.currency);
  return html`${product?.name ?? 'Subscription'}, ${amount} per ${price.recurring?.interval ?? 'month'}`;
};

export const statusText = ({ status, cancel_at_period_end }: Stripe.Subscription): string => {
  if (status === 'active') return cancel_at_period_end ? 'Active, will not renew' : 'Active';
  if (status === 'past_due') return 'Payment overdue';
  return status === 'canceled' ? 'Canceled' : status;
};

const planAction = (id: string, { cancel_at_period_end }: Stripe.Subscription): Html =>
  cancel_at_period_end
    ? html`<a class="button" href="/p/session/${id}/resume">Resume subscription</a>`
    : html`<a class="button" href="/p/session/${id}/cancel">Cancel subscription</a>`;

const planPart = (context: Context, { session, subscription }: Portal): Html => {
  if (!subscription) return html`<p>You have no subscription.</p>`;
  return html`<dl>
      <dt>Product</dt>
      <dd>${subscription.items.data.map(({ price }) => productText(context, price))}</dd>
      <dt>Status</dt>
      <dd class="${subscription.status}">${statusText(subscription)}</dd>
      <dt>${subscription.cancel_at_period_end ? 'Ends on' : 'Next renewal'}</dt>
      <dd>${isOngoing(subscription) ? formatDate(periodEndOf(subscription)) : 'none'}</dd>
    </dl>
    ${isOngoing(subscription) && planAction(session.id, subscription)}`;
};

const cardPart = (context: Context, { session, customer }: Portal): Html => {
  const id = refId(customer.invoice_settings.default_payment_method) ?? '';
  const card = context.state.paymentMethods.get(id)?.card;
  const text = card
    ? `${card.brand} ending in ${card.last4}, good until ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
    : 'There is no card on file.';
  return html`<p>${text}</p>
    <a class="button" href="/p/session/${session.id}/card">Change card</a>`;
};

const invoiceRow = (session: string, invoice: Stripe.Invoice): Html => {
  const pay = html`<form method="post" action="/p/session/${session}/invoices/${invoice.id}/pay">
    <button>Pay now</button>
  </form>`;
  return html`<tr>
    <td><a href="/i/${invoice.id}">${formatDate(invoice.created)}</a></td>
    <td>${formatMoney(invoice.total, invoice.currency)}</td>
    <td class="${invoice.status}">${invoice.status === 'paid' ? 'Paid' : 'Open'}</td>
    <td>${invoice.status === 'open' && pay}</td>
  </tr>`;
};

const invoicePart = ({ session, invoices }: Portal): Html => {
  if (invoices.length === 0) return html`<p>There are no invoices yet.</p>`;
  const rows = invoices.map((invoice) => invoiceRow(session.id, invoice));
  return tableOf(['Date', 'Amount', 'Status', 'Action'], rows);
};

export const showPortal = (context: Context, response: Response, portal: Portal): void => {
  const { session, customer, problem } = portal;
  const backUrl = httpUrl(session.return_url);
  const body = html`<h1>Your subscription</h1>
    <p>${customer.name ?? customer.email}</p>
    ${backUrl !== null && html`<p><a href="${backUrl}">Return</a></p>`}
    ${problem !== null && html`<p class="alert" role="alert">${problem}</p>`}
    <section class="panel" aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      ${planPart(context, portal)}
    </section>
    <section class="panel" aria-labelledby="card">
      <h2 id="card">Payment method</h2>
      ${cardPart(context, portal)}
    </section>
    <section class="panel" aria-labelledby="invoices">
      <h2 id="invoices">Invoices</h2>
      ${invoicePart(portal)}
    </section>`;
  showPage(response, { title: 'Your subscription', body, status: problem === null ? 200 : 402 });
};
