import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { World } from '../context.ts';
import { answer, refuse } from './handle-request.ts';
import { balanceTransactionDoors } from './balance-transactions.ts';
import { chargeDoors } from './charges.ts';
import { checkoutSessionDoors } from './checkout-sessions.ts';
import { customerDoors } from './customers.ts';
import type { Door } from './endpoint.ts';
import { invalidRequest, type StripeError } from '../model/errors.ts';
import { eventDoors } from './events.ts';
import { invoicePaymentDoors } from './invoice-payments.ts';
import { invoiceDoors } from './invoices.ts';
import { paymentIntentDoors } from './payment-intents.ts';
import { paymentMethodDoors } from './payment-methods.ts';
import { portalSessionDoors } from './portal-sessions.ts';
import { priceDoors } from './prices.ts';
import { productDoors } from './products.ts';
import { refundDoors } from './refunds.ts';
import { subscriptionDoors } from './subscriptions.ts';

const doors: Door[] = [
  ...customerDoors,
  ...productDoors,
  ...priceDoors,
  ...checkoutSessionDoors,
  ...subscriptionDoors,
  ...invoiceDoors,
  ...invoicePaymentDoors,
  ...paymentIntentDoors,
  ...paymentMethodDoors,
  ...chargeDoors,
  ...balanceTransactionDoors,
  ...refundDoors,
  ...portalSessionDoors,
  ...eventDoors,
];

const prefix = '/v1';

const keyProblem = (world: World, header: string | undefined): StripeError | null => {
  const key = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (key === world.config.stripeSecretKey) return null;
  if (key !== undefined) {
    const hidden = `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
    return invalidRequest({ message: `Invalid API Key provided: ${hidden}` }, 401);
  }
  const message =
    "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
  return invalidRequest({ message }, 401);
};

/** All of Stripe's API that the sandbox knows, to be mounted at /v1. */
export const stripeRoutes = (world: World): Router => {
  const router = express.Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    const problem = keyProblem(world, request.get('authorization'));
    if (problem) refuse(world, response.set('WWW-Authenticate', 'Bearer realm="Stripe"'), problem);
    else next();
  });
  router.use(express.text({ type: () => true, limit: '1mb' }));
  for (const door of doors) {
    router[door.method](door.path.slice(prefix.length), (request, response) =>
      answer(world, door, { request, response }),
    );
  }
  router.use((request: Request, response: Response) => {
    const message = `Unrecognized request URL (${request.method}: ${request.originalUrl.split('?')[0]}). The sandbox may not have this call.`;
    refuse(world, response, invalidRequest({ message }, 404));
  });
  return router;
};
