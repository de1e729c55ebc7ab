import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Context } from '../context.ts';
import { type StripeError, invalidRequest } from '../model/errors.ts';
import { balanceTransactionEndpoints, payoutEndpoints } from './balance-transactions.ts';
import { chargeEndpoints, disputeEndpoints, paymentIntentEndpoints } from './charges.ts';
import { checkoutSessionEndpoints } from './checkout-sessions.ts';
import { couponEndpoints } from './coupons.ts';
import { customerEndpoints, paymentMethodEndpoints } from './customers.ts';
import type { Endpoint } from './endpoint.ts';
import { eventEndpoints, webhookEndpointEndpoints } from './events.ts';
import { handleRequest, sendError } from './handle-request.ts';
import { invoiceItemEndpoints } from './invoice-items.ts';
import { invoiceEndpoints, invoicePaymentEndpoints } from './invoices.ts';
import { portalConfigurationEndpoints, portalSessionEndpoints } from './portal.ts';
import { priceEndpoints, productEndpoints } from './prices.ts';
import { refundEndpoints } from './refunds.ts';
import { subscriptionItemEndpoints } from './subscription-items.ts';
import { subscriptionScheduleEndpoints } from './subscription-schedules.ts';
import { subscriptionEndpoints } from './subscriptions.ts';

const endpoints: Endpoint[] = [
  ...customerEndpoints,
  ...productEndpoints,
  ...priceEndpoints,
  ...checkoutSessionEndpoints,
  ...subscriptionEndpoints,
  ...subscriptionItemEndpoints,
  ...subscriptionScheduleEndpoints,
  ...couponEndpoints,
  ...invoiceEndpoints,
  ...invoiceItemEndpoints,
  ...invoicePaymentEndpoints,
  ...paymentIntentEndpoints,
  ...paymentMethodEndpoints,
  ...chargeEndpoints,
  ...balanceTransactionEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...payoutEndpoints,
  ...portalConfigurationEndpoints,
  ...portalSessionEndpoints,
  ...eventEndpoints,
  ...webhookEndpointEndpoints,
];

const PREFIX = '/v1';

const authenticationError = (context: Context, header: string | undefined): StripeError | null => {
  const key = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (key !== undefined && context.keys.stripe.includes(key)) return null;
  if (key !== undefined) {
    const maskedKey = `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
    return invalidRequest({ message: `Invalid API Key provided: ${maskedKey}` }, 401);
  }
  const message =
    "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
  return invalidRequest({ message }, 401);
};

/** Serves the part of Stripe's API that the sandbox supports; mounted at /v1. */
export const stripeRoutes = (context: Context): Router => {
  const router = express.Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    const problem = authenticationError(context, request.get('authorization'));
    if (problem) sendError(context, response.set('WWW-Authenticate', 'Bearer realm="Stripe"'), problem);
    else next();
  });
  router.use(express.text({ type: () => true, limit: '1mb' }));
  for (const endpoint of endpoints) {
    router[endpoint.method](endpoint.path.slice(PREFIX.length), (request, response) =>
      handleRequest(context, endpoint, { request, response }),
    );
  }
  router.use((request: Request, response: Response) => {
    const message = `Unrecognized request URL (${request.method}: ${request.originalUrl.split('?')[0]}). The sandbox may not support this endpoint.`;
    sendError(context, response, invalidRequest({ message }, 404));
  });
  return router;
};
