import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../state.ts';
import { formatMoney } from '../model/balance-transaction.ts';
import { isOngoing, periodEndOf } from '../model/subscription.ts';
import { formatDate, html, type Html, showPage, tableOf } from './layout.ts';
import { productText, statusText } from './portal-page.ts';

const customerRow = ({ id, name, email, created }: Stripe.Customer): Html =>
  html`<tr>
    <td class="text"><a href="/customers/${id}">${name ?? id}</a></td>
    <td class="text">${email}</td>
    <td>${formatDate(created)}</td>
  </tr>`;

export const showCustomers = (context: Context, _request: Request, response: Response): void => {
  const rows = [...context.state.customers.values()].reverse().map(customerRow);
  const table = tableOf(['Name', 'Email', 'Created'], rows);
  const body = html`<h1>Customers</h1>
    <p><a href="/">Back to the start</a></p>
    <div class="panel">${rows.length > 0 ? table : html`<p>There are no customers yet.</p>`}</div>`;
  showPage(response, { title: 'Customers', body });
};

const subscriptionPart = (context: Context, subscription: Stripe.Subscription): Html =>
  html`<dl>
    <dt>Subscription</dt>
    <dd>${subscription.id}</dd>
    <dt>Product</dt>
    <dd>${subscription.items.data.map(({ price }) => productText(context, price))}</dd>
    <dt>Status</dt>
    <dd class="${subscription.status}">${statusText(subscription)}</dd>
    <dt>${subscription.cancel_at_period_end ? 'Ends on' : 'Next renewal'}</dt>
    <dd>${isOngoing(subscription) ? formatDate(periodEndOf(subscription)) : 'none'}</dd>
  </dl>`;

const invoicePart = (invoice: Stripe.Invoice): Html =>
  html`<p>
    <a href="/i/${invoice.id}">${formatDate(invoice.created)}</a>,
    ${formatMoney(invoice.total, invoice.currency)}, ${invoice.status}
  </p>`;

/** What the provider's dashboard shows about one customer. */
export const showCustomer = (context: Context, request: Request, response: Response): void => {
  const { customers, subscriptions, invoices } = context.state;
  const customer = customers.get(String(request.params.id));
  if (!customer) {
    const missing = html`<h1>Not found</h1>
      <p>There is no such customer.</p>`;
    showPage(response, { title: 'Not found', body: missing, status: 404 });
    return;
  }
  const isTheirs = (row: { customer: Stripe.Invoice['customer'] }) => refId(row.customer) === customer.id;
  const theirSubscriptions = [...subscriptions.values()].filter(isTheirs).reverse();
  const theirInvoices = [...invoices.values()].filter(isTheirs).reverse();
  const body = html`<p><a href="/customers">All customers</a></p>
    <h1>${customer.name ?? customer.id}</h1>
    <p>${customer.email}, ${customer.id}</p>
    <section class="panel" aria-labelledby="subscriptions">
      <h2 id="subscriptions">Subscriptions</h2>
      ${theirSubscriptions.map((subscription) => subscriptionPart(context, subscription))}
      ${theirSubscriptions.length === 0 && html`<p>There is no subscription yet.</p>`}
    </section>
    <section class="panel" aria-labelledby="invoices">
      <h2 id="invoices">Invoices</h2>
      ${theirInvoices.map(invoicePart)}
      ${theirInvoices.length === 0 && html`<p>There are no invoices yet.</p>`}
    </section>`;
  showPage(response, { title: customer.name ?? 'Customer', body });
};
