import express, { type Request, type Response, type Router } from 'express';
import type { Context } from '../context.ts';
import { showCheckout, submitCheckout } from './checkout-page.ts';
import { showCustomer, showCustomers } from './customer-pages.ts';
import { html, showPage } from './layout.ts';
import { showInvoice, submitInvoice } from './invoice-page.ts';
import { showMail, showMails } from './mail-pages.ts';
import {
  showCardChange,
  showPortalHome,
  showRenewalConfirmation,
  submitCardChange,
  submitInvoicePayment,
  submitRenewalChange,
} from './portal-actions.ts';

type PageHandler = (context: Context, request: Request, response: Response) => void;

const showHome = (context: Context, _request: Request, response: Response): void => {
  const { customers, subscriptions, events, mails, checkoutSessions } = context.state;
  const open = [...checkoutSessions.values()].filter(({ status }) => status === 'open').length;
  const body = html`<h1>Local sandbox</h1>
    <p>A local replacement for the payment provider and the mail provider. No data here is real.</p>
    <div class="panel">
      <dl>
        <dt>Customers</dt>
        <dd><a href="/customers">${customers.size}</a></dd>
        <dt>Subscriptions</dt>
        <dd>${subscriptions.size}</dd>
        <dt>Open checkouts</dt>
        <dd>${open}</dd>
        <dt>Events</dt>
        <dd><a href="/_sandbox/events">${events.size}</a></dd>
        <dt>Mails</dt>
        <dd><a href="/mails">${mails.size}</a></dd>
        <dt>Clock</dt>
        <dd><a href="/_sandbox/clock">${context.state.offsetSeconds} seconds ahead</a></dd>
      </dl>
      <p class="caption">Checkout, portal and receipt pages open from links in the product.</p>
    </div>`;
  showPage(response, { title: 'Local sandbox', body });
};

const pagesByPath: [path: string, show: PageHandler][] = [
  ['/', showHome],
  ['/c/pay/:id', showCheckout],
  ['/p/session/:id', showPortalHome],
  ['/p/session/:id/card', showCardChange],
  ['/p/session/:id/cancel', showRenewalConfirmation],
  ['/p/session/:id/resume', showRenewalConfirmation],
  ['/i/:id', showInvoice],
  // In place of the PDF.
  ['/i/:id/pdf', showInvoice],
  ['/customers', showCustomers],
  ['/customers/:id', showCustomer],
  ['/mails', showMails],
  ['/mails/:id', showMail],
];

const formsByPath: [path: string, submit: PageHandler][] = [
  ['/c/pay/:id', submitCheckout],
  ['/i/:id', submitInvoice],
  ['/p/session/:id/card', submitCardChange],
  ['/p/session/:id/cancel', submitRenewalChange],
  ['/p/session/:id/resume', submitRenewalChange],
  ['/p/session/:id/invoices/:invoice/pay', submitInvoicePayment],
];

/** Serves the HTML pages. Forms are plain POST requests and work without scripts. */
export const pageRoutes = (context: Context): Router => {
  const router = express.Router();
  for (const [path, show] of pagesByPath) {
    router.get(path, (request, response) => show(context, request, response));
  }
  const readForm = express.urlencoded({ extended: false, limit: '20kb' });
  for (const [path, submit] of formsByPath) {
    router.post(path, readForm, (request, response) => {
      submit(context, request, response);
      context.persistence.scheduleSave();
    });
  }
  return router;
};
