import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { Router } from '@shortlist/kit/http/router';
import type { Offer } from './offer.ts';

export const addOfferEndpoints = (router: Router, { offer }: { offer: Offer }): void => {
  router.add(billingEndpoints.getOffer, {
    roles: ['service'],
    input: Joi.object<Record<never, never>>({}),
    handle: () => Promise.resolve({ data: offer.currentPrice() }),
  });
};
