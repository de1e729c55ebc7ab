import type { Request, Response } from 'express';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { formatMoney } from '../model/money.ts';
import { html } from './html.ts';
import { formatDate, showMessage, showPage } from './layout.ts';

const statusText = ({ status, status_transitions }: Stripe.Invoice): string => {
  const { paid_at } = status_transitions;
  return status === 'paid' && paid_at !== null ? `Paid on ${formatDate(paid_at)}` : 'Not paid yet';
};

export const showReceipt = (context: Context, request: Request, response: Response): void => {
  const invoice = context.state.invoices.get(String(request.params.id));
  if (!invoice) {
    response.status(404);
    showMessage(response, 'Not found', 'There is no such invoice.');
    return;
  }
  const lines = invoice.lines.data.map(
    (line) =>
      html`<tr>
        <td class="text">${line.description}</td>
        <td>${formatDate(line.period.start)} – ${formatDate(line.period.end)}</td>
        <td>${formatMoney(line.amount, line.currency)}</td>
      </tr>`,
  );
  const title = `Invoice ${invoice.number ?? invoice.id}`;
  const body = html`<h1>${title}</h1>
    <div class="panel">
      <dl>
        <dt>For</dt>
        <dd>${invoice.customer_name ?? invoice.customer_email}</dd>
        <dt>Date</dt>
        <dd>${formatDate(invoice.created)}</dd>
        <dt>Status</dt>
        <dd class="${invoice.status}">${statusText(invoice)}</dd>
        <dt>Total</dt>
        <dd>${formatMoney(invoice.total, invoice.currency)}</dd>
      </dl>
      <div class="scroll" tabindex="0">
        <table>
          <tbody>
            ${lines}
          </tbody>
        </table>
      </div>
    </div>`;
  showPage(response, { title, body });
};
