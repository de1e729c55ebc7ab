import { createMetrics } from '@shortlist/kit/process/metrics';
import { run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createBillingService } from './app.ts';
import { readConfig } from './config.ts';
import { schema } from './db.ts';
import { createOffer, startRefreshing } from './offer/offer.ts';
import { BACKGROUND, createStripe, INTERACTIVE, isLiveKey } from './stripe/client.ts';
import { createStripeGateway } from './stripe/gateway.ts';
import { createSignatureCheck } from './stripe/signature.ts';
import { createIntake } from './sync/intake.ts';

run('billing', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    const metrics = createMetrics('billing');
    const price = { amount: config.PRICE_MINOR, currency: config.CURRENCY };
    const account = { key: config.STRIPE_SECRET_KEY, apiBase: config.STRIPE_API_BASE };
    const stripe = createStripe({ ...account, limits: BACKGROUND });
    const background = createStripeGateway(stripe, price);
    const interactive = createStripeGateway(createStripe({ ...account, limits: INTERACTIVE }), price);
    const offer = createOffer({ stripe: interactive, configured: price, log: lifecycle.log, metrics });
    const intake = createIntake({ db, clock, log: lifecycle.log, stripe: background });
    const checkSignature = createSignatureCheck(stripe, { secrets: config.STRIPE_WEBHOOK_SECRETS, clock });
    const { PUBLIC_URL: publicUrl } = config;
    const service = createBillingService({
      db,
      clock,
      log: lifecycle.log,
      metrics,
      publicUrl,
      offer,
      currency: price.currency,
      checkSignature,
      live: isLiveKey(config.STRIPE_SECRET_KEY),
      intake,
      interactive,
      background,
    });
    await openService({ lifecycle, config, clock, db, metrics }, service);
    lifecycle.onStop('intake', intake.stop);
    lifecycle.onStop('offer', startRefreshing(offer).stop);
  },
});
