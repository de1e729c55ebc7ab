import { billingEndpoints, type Price } from '@shortlist/contracts/api/billing';
import { type PublicConfig, publicEndpoints } from '@shortlist/contracts/api/public';
import { minutes } from '@shortlist/contracts/durations';
import { asService } from '@shortlist/kit/http/http-client';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import Joi from 'joi';
import { composed, type Route } from '../http/endpoint.ts';
import { isToken } from '../session/session.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { type Services } from '../services.ts';

type Prices = Pick<PublicConfig, 'price'> & { yearlyPrice: Price | null };

type Parts = {
  config: Omit<PublicConfig, 'price' | 'yearlyPrice'>;
  readPrices: () => Promise<Prices>;
  xsrf: Xsrf;
};

/**
 * What the browser needs to know about this installation. With the token of a session, the response also sets the cookies with which that
 * session may make changes; for an ended session it is 401. A bearer token without a session is ignored.
 */
export const configEndpoint = ({ config, readPrices, xsrf }: Parts): Route =>
  composed(publicEndpoints.config, async ({ request, response, token, session }) => {
    const ended = session === null && token !== null && isToken(token);
    if (ended) throw createError('session.missing');
    xsrf.ensure({ request, response }, session === null ? null : token);
    return { ...config, ...(await readPrices()) };
  });

/** Every page waits for the price, so billing gets little time. */
const TIMEOUT_MS = 500;
const CACHE_MS = minutes(1);
/** While billing is unavailable, one request in this time waits for it. */
const RETRY_MS = 5_000;

const price = Joi.object<Price, true>({
  amount: Joi.number().integer().required(),
  currency: Joi.string().length(3).required(),
})
  .required()
  .options({ stripUnknown: true });

type PriceParts = { services: Pick<Services, 'billing'>; configured: Price; log: Log };

/**
 * Returns a function that reads the prices of the current offer: from billing, else the last known, else the configured one of a month. Billing of
 * the release before knows no year.
 */
export const createOfferPrices = ({ services, configured, log }: PriceParts): (() => Promise<Prices>) => {
  let known: Prices = { price: configured, yearlyPrice: null };
  let nextReadAt = 0;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    try {
      const options = asService({ timeoutMs: TIMEOUT_MS });
      const { data, yearly = null } = await services.billing(billingEndpoints.getOffer, {}, options);
      known = { price: Joi.attempt(data, price), yearlyPrice: yearly && Joi.attempt(yearly, price) };
      nextReadAt = performance.now() + CACHE_MS;
    } catch (error) {
      nextReadAt = performance.now() + RETRY_MS;
      log.warn({ err: error }, 'price not read from billing');
    }
  };
  return async () => {
    if (performance.now() >= nextReadAt) reading ??= read().finally(() => (reading = null));
    if (reading) await reading;
    return known;
  };
};
