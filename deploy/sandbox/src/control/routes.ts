import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import Joi from 'joi';
import { attachCard } from '../billing/attach-card.ts';
import { isLuhnValid } from '../model/card.rules.ts';
import { runDue } from '../billing/run-due-tasks.ts';
import { payCheckout } from '../billing/pay-checkout.ts';
import { faultSchema, type Fault } from '../faults/fault.ts';
import { addFault } from '../faults/active-faults.ts';
import { onError } from '../error-handler.ts';
import { getCheckoutSession } from '../stripe/checkout-sessions.ts';
import { invalidRequest, StripeError } from '../model/errors.ts';
import { getFrom } from '../stripe/lookup.ts';
import { paymentIntentOf } from '../stripe/invoice-payments.ts';
import { getInvoice } from '../stripe/invoices.ts';
import { createRefund } from '../stripe/refunds.ts';
import { cancelSubscription, setCancelAtPeriodEnd } from '../stripe/subscriptions.ts';
import { behaviourSchema } from '../webhooks/behaviour.ts';
import { forgetAll, now, type World } from '../context.ts';
import { cardOf, cardSchema, type CardGiven } from './card-input.ts';
import { listEvents, resendEvent } from './events.ts';
import { readBody } from './read-body.ts';

type Payment = { card: CardGiven; authenticate: boolean; email: string | null; percentOff: number };
const paySchema = Joi.object<Payment>({
  card: cardSchema.default('4242424242424242'),
  authenticate: Joi.boolean().default(true),
  email: Joi.string().default(null),
  percentOff: Joi.number().integer().min(0).max(100).default(0),
});

const cardChange = Joi.object<{ card: CardGiven }>({ card: cardSchema.required() });

const amountSchema = Joi.object<{ amount?: number }>({ amount: Joi.number().integer().min(1) });

const cancelSchema = Joi.object<{ atPeriodEnd: boolean }>({ atPeriodEnd: Joi.boolean().default(false) });

const addMoneyDoors = (router: Router, world: World): void => {
  router.post('/checkout_sessions/:id/pay', (request, response) => {
    const session = getCheckoutSession(world, request.params.id);
    const { card, authenticate, ...payment } = readBody(paySchema, request.body);
    payCheckout(world, session, { ...payment, card: cardOf(world, card), isConfirmed: authenticate });
    response.json(session);
  });
  router.post('/customers/:id/card', (request, response) => {
    const customer = getFrom(world.state.customers, 'customer', request.params.id);
    const card = cardOf(world, readBody(cardChange, request.body).card);
    if (!isLuhnValid(card.number)) throw invalidRequest({ message: `${card.number} is not a card number.` });
    response.json(attachCard(world, { customer, card }));
  });
  router.post('/invoices/:id/refund', (request, response) => {
    const { id } = getInvoice(world, request.params.id);
    const payment_intent = paymentIntentOf(world, id) ?? '';
    response.json(createRefund(world, { ...readBody(amountSchema, request.body), payment_intent }));
  });
  router.post('/subscriptions/:id/cancel', (request, response) => {
    const { id } = request.params;
    const { atPeriodEnd } = readBody(cancelSchema, request.body);
    response.json(atPeriodEnd ? setCancelAtPeriodEnd(world, id, true) : cancelSubscription(world, {}, id));
  });
};

const tenYears = 10 * 366 * 86_400;

const advanceSchema = Joi.object<{ seconds: number }>({
  seconds: Joi.number().integer().min(0).max(tenYears).required(),
});

const addClockDoors = (router: Router, world: World): void => {
  const time = () => ({ now: now(world), offsetSeconds: world.state.offsetSeconds });
  router.get('/clock', (_request, response) => {
    response.json(time());
  });
  router.post('/clock/advance', (request, response) => {
    world.state.offsetSeconds += readBody(advanceSchema, request.body).seconds;
    const fellDue = runDue(world);
    response.json({ ...time(), fellDue });
  });
};

const addMisbehaviourDoors = (router: Router, world: World): void => {
  router.put('/webhooks', (request, response) => {
    Object.assign(world.webhooks, readBody(behaviourSchema, request.body));
    response.json(world.webhooks);
  });
  router.put('/faults', (request, response) => {
    addFault(world, readBody<Fault>(faultSchema, request.body));
    response.json({ faults: world.faults });
  });
  router.delete('/faults', (_request, response) => {
    world.faults = [];
    response.json({ faults: [] });
  });
};

const sayWhy = (world: World, response: Response, error: Error): void => {
  if (error instanceof StripeError) {
    response.status(error.status).json({ error: error.body });
    return;
  }
  const isAsked = error instanceof SyntaxError;
  if (!isAsked) world.report(error);
  response.status(isAsked ? 400 : 500).json({ error: { message: error.message } });
};

/** What only a test or a developer may do, to be mounted at /_sandbox. */
export const controlRoutes = (world: World): Router => {
  const router = express.Router();
  router.use(express.json({ limit: '1mb' }));
  router.use((request: Request, _response: Response, next: NextFunction) => {
    if (request.method !== 'GET') world.persistence.changed();
    next();
  });
  addMoneyDoors(router, world);
  addClockDoors(router, world);
  addMisbehaviourDoors(router, world);
  router.get('/events', (request, response) => {
    response.json({ data: listEvents(world, request.query) });
  });
  router.post('/events/:id/resend', async (request, response) => {
    response.json(await resendEvent(world, request.params.id, request.body));
  });
  router.get('/mails', (_request, response) => {
    response.json({ data: [...world.state.mails.values()] });
  });
  router.post('/reset', (_request, response) => {
    forgetAll(world);
    response.json({ now: now(world) });
  });
  router.use((request: Request, response: Response) => {
    const message = `There is no control door ${request.method} ${request.originalUrl}.`;
    response.status(404).json({ error: { message } });
  });
  router.use(onError((error, response) => sayWhy(world, response, error)));
  return router;
};
