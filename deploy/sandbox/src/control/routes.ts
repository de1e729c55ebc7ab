import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import Joi from 'joi';
import { attachCard } from '../billing/attach-card.ts';
import { payCheckout } from '../billing/pay-checkout.ts';
import { runDueTasks } from '../billing/run-due-tasks.ts';
import { keysSchema, settingsSchema } from '../config.ts';
import { now, resetState, type Context } from '../context.ts';
import { addFault, createErrorHandler, type Fault, faultSchema } from '../faults.ts';
import { DAY } from '../model/billing-cycle.rules.ts';
import { isLuhnValid } from '../model/card.rules.ts';
import { StripeError, invalidRequest } from '../model/errors.ts';
import { getCheckoutSession } from '../stripe/checkout-sessions.ts';
import { getById } from '../stripe/pagination.ts';
import { mailboxSchema } from '../mail/mailboxes.ts';
import { behaviourSchema } from '../webhooks/post-event.ts';
import { addBillingRoutes, addChargeRoutes } from './billing-routes.ts';
import { type CardInput, cardSchema, readBody, toCardEntry } from './input.ts';
import { listEvents, resendEvent } from './events.ts';

type Payment = {
  method: 'card' | 'bank_debit';
  card: CardInput;
  authenticate: boolean;
  email: string | null;
  percentOff: number;
  promotionCode: string | null;
};
const paySchema = Joi.object<Payment>({
  method: Joi.string().valid('card', 'bank_debit').default('card'),
  card: cardSchema.default('4242424242424242'),
  authenticate: Joi.boolean().default(true),
  email: Joi.string().default(null),
  percentOff: Joi.number().integer().min(0).max(100).default(0),
  promotionCode: Joi.string().default(null),
});

const cardChangeSchema = Joi.object<{ card: CardInput }>({ card: cardSchema.required() });

const addPaymentRoutes = (router: Router, context: Context): void => {
  router.post('/checkout_sessions/:id/pay', (request, response) => {
    const session = getCheckoutSession(context, request.params.id);
    const { card, authenticate, ...payment } = readBody(paySchema, request.body);
    payCheckout(context, session, {
      ...payment,
      card: toCardEntry(context, card),
      isAuthenticated: authenticate,
    });
    response.json(session);
  });
  router.post('/customers/:id/card', (request, response) => {
    const customer = getById(context.state.customers, 'customer', request.params.id);
    const card = toCardEntry(context, readBody(cardChangeSchema, request.body).card);
    if (!isLuhnValid(card.number)) throw invalidRequest({ message: `${card.number} is not a card number.` });
    response.json(attachCard(context, { customer, card }));
  });
};

const TEN_YEARS = 10 * 366 * DAY;

const advanceSchema = Joi.object<{ seconds: number }>({
  seconds: Joi.number().integer().min(0).max(TEN_YEARS).required(),
});

const addClockRoutes = (router: Router, context: Context): void => {
  const clockState = () => ({ now: now(context), offsetSeconds: context.state.offsetSeconds });
  router.get('/clock', (_request, response) => {
    response.json(clockState());
  });
  router.post('/clock/advance', (request, response) => {
    context.state.offsetSeconds += readBody(advanceSchema, request.body).seconds;
    const fellDue = runDueTasks(context);
    response.json({ ...clockState(), fellDue });
  });
};

const addFailureRoutes = (router: Router, context: Context): void => {
  router.put('/webhooks', (request, response) => {
    Object.assign(context.webhooks, readBody(behaviourSchema, request.body));
    response.json(context.webhooks);
  });
  router.put('/settings', (request, response) => {
    Object.assign(context.settings, readBody(settingsSchema, request.body));
    response.json(context.settings);
  });
  router.put('/keys', (request, response) => {
    Object.assign(context.keys, readBody(keysSchema, request.body));
    response.json({});
  });
  router.put('/faults', (request, response) => {
    addFault(context, readBody<Fault>(faultSchema, request.body));
    response.json({ faults: context.faults });
  });
  router.delete('/faults', (_request, response) => {
    context.faults = [];
    response.json({ faults: [] });
  });
};

const sendError = (context: Context, response: Response, error: Error): void => {
  if (error instanceof StripeError) {
    response.status(error.status).json({ error: error.body });
    return;
  }
  const isInvalidJson = error instanceof SyntaxError;
  if (!isInvalidJson) context.report(error);
  response.status(isInvalidJson ? 400 : 500).json({ error: { message: error.message } });
};

/** Serves the control API for tests and developers; mounted at /_sandbox. */
export const controlRoutes = (context: Context): Router => {
  const router = express.Router();
  router.use(express.json({ limit: '1mb' }));
  router.use((request: Request, _response: Response, next: NextFunction) => {
    if (request.method !== 'GET') context.persistence.scheduleSave();
    next();
  });
  addPaymentRoutes(router, context);
  addBillingRoutes(router, context);
  addChargeRoutes(router, context);
  addClockRoutes(router, context);
  addFailureRoutes(router, context);
  router.get('/events', (request, response) => {
    response.json({ data: listEvents(context, request.query) });
  });
  router.post('/events/:id/resend', async (request, response) => {
    response.json(await resendEvent(context, request.params.id, request.body));
  });
  router.get('/mails', (_request, response) => {
    response.json({ data: [...context.state.mails.values()] });
  });
  router.put('/mailboxes', (request, response) => {
    const { email, fate } = readBody(mailboxSchema, request.body);
    context.state.mailboxes.set(email, fate);
    response.json({ email, fate });
  });
  router.get('/suppressions', (_request, response) => {
    response.json({ data: [...context.state.suppressions.keys()] });
  });
  router.post('/reset', (_request, response) => {
    resetState(context);
    response.json({ now: now(context) });
  });
  router.use((request: Request, response: Response) => {
    const message = `Unknown control endpoint: ${request.method} ${request.originalUrl}.`;
    response.status(404).json({ error: { message } });
  });
  router.use(createErrorHandler((error, response) => sendError(context, response, error)));
  return router;
};
