import express, { type Request, type Response, type Router } from 'express';
import type { World } from '../context.ts';
import { showCheckout, submitCheckout } from './checkout-page.ts';
import { html } from './html.ts';
import { showPage } from './layout.ts';
import { showMail, showMails } from './mail-pages.ts';
import {
  showCardChange,
  showPortalHome,
  showRenewalQuestion,
  submitCardChange,
  submitInvoicePayment,
  submitRenewalAnswer,
} from './portal-actions.ts';
import { showReceipt } from './receipt-page.ts';

type Show = (world: World, request: Request, response: Response) => void;

const showStart = (world: World, _request: Request, response: Response): void => {
  const { customers, subscriptions, events, mails, checkoutSessions } = world.state;
  const open = [...checkoutSessions.values()].filter(({ status }) => status === 'open').length;
  const body = html`<h1>Local sandbox</h1>
    <p>It stands in for the payment provider and the mail provider on this machine. Nothing here is real.</p>
    <div class="panel">
      <dl>
        <dt>Customers</dt>
        <dd>${customers.size}</dd>
        <dt>Subscriptions</dt>
        <dd>${subscriptions.size}</dd>
        <dt>Open checkouts</dt>
        <dd>${open}</dd>
        <dt>Events</dt>
        <dd><a href="/_sandbox/events">${events.size}</a></dd>
        <dt>Mails</dt>
        <dd><a href="/mails">${mails.size}</a></dd>
        <dt>Clock</dt>
        <dd><a href="/_sandbox/clock">${world.state.offsetSeconds} seconds ahead</a></dd>
      </dl>
      <p class="caption">Checkout, portal and receipt pages are opened by the links the product gives you.</p>
    </div>`;
  showPage(response, { title: 'Local sandbox', body });
};

const shown: [path: string, show: Show][] = [
  ['/', showStart],
  ['/c/pay/:id', showCheckout],
  ['/p/session/:id', showPortalHome],
  ['/p/session/:id/card', showCardChange],
  ['/p/session/:id/cancel', showRenewalQuestion],
  ['/p/session/:id/resume', showRenewalQuestion],
  ['/i/:id', showReceipt],
  ['/mails', showMails],
  ['/mails/:id', showMail],
];

const submitted: [path: string, submit: Show][] = [
  ['/c/pay/:id', submitCheckout],
  ['/p/session/:id/card', submitCardChange],
  ['/p/session/:id/cancel', submitRenewalAnswer],
  ['/p/session/:id/resume', submitRenewalAnswer],
  ['/p/session/:id/invoices/:invoice/pay', submitInvoicePayment],
];

/** What a person sees. Every form is a plain POST and works without scripts. */
export const pageRoutes = (world: World): Router => {
  const router = express.Router();
  for (const [path, show] of shown) {
    router.get(path, (request, response) => show(world, request, response));
  }
  const readForm = express.urlencoded({ extended: false, limit: '20kb' });
  for (const [path, submit] of submitted) {
    router.post(path, readForm, (request, response) => {
      submit(world, request, response);
      world.persistence.changed();
    });
  }
  return router;
};
