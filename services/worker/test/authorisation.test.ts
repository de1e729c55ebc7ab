import {
  exampleMailEndpoints,
  suppressionEndpoints,
  unsubscribeEndpoints,
} from '@shortlist/contracts/api/email';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import { deliveryEndpoints } from '@shortlist/contracts/api/webhooks';
import {
  AUTHORISATION,
  type AuthorisationRow,
  authorisationRow,
} from '@shortlist/kit/testing/authorisation-cases';
import { afterAll, expect, it } from 'vitest';
import { openWebhooks } from './open-webhooks.ts';

const opened = await openWebhooks();
afterAll(() => opened.close());

/** The access to every endpoint of the service. A missing endpoint is a type error. */
const endpoints = {
  ...deliveryEndpoints,
  ...suppressionEndpoints,
  ...unsubscribeEndpoints,
  ...exampleMailEndpoints,
  timeline: timelineEndpoint,
};
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  listDeliveries: AUTHORISATION.users,
  sendTestEvent: AUTHORISATION.users,
  redeliver: AUTHORISATION.users,
  findSuppressions: AUTHORISATION.services,
  liftSuppression: AUTHORISATION.services,
  sendTestMail: { ...AUTHORISATION.services, other: 403 },
  unsubscribe: { ...AUTHORISATION.users, anonymous: 'opens', user: 403, other: null },
  listExampleMails: AUTHORISATION.admins,
  getExampleMail: { ...AUTHORISATION.admins, other: 403 },
  sendExampleMail: { ...AUTHORISATION.admins, other: 403 },
  timeline: { ...AUTHORISATION.admins, other: 403 },
};

it.each(Object.entries(MATRIX))('D1 %s is open to the callers of its row', async (name, entry) => {
  const endpoint = endpoints[name as keyof typeof endpoints];
  expect(await authorisationRow(opened, 'worker', { endpoint })).toEqual(entry);
});
