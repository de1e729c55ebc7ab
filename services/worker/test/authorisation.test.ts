import { bulkEndpoints } from '@shortlist/contracts/api/bulk';
import {
  exampleMailEndpoints,
  newsMailEndpoints,
  suppressionEndpoints,
  unsubscribeEndpoints,
} from '@shortlist/contracts/api/email';
import { deadLetterEndpoints, statusEndpoint } from '@shortlist/contracts/api/status';
import { jobEndpoints, verificationEndpoints } from '@shortlist/contracts/api/system';
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
  ...bulkEndpoints,
  ...deliveryEndpoints,
  ...suppressionEndpoints,
  ...unsubscribeEndpoints,
  ...exampleMailEndpoints,
  ...newsMailEndpoints,
  ...jobEndpoints,
  ...verificationEndpoints,
  ...deadLetterEndpoints,
  status: statusEndpoint,
  timeline: timelineEndpoint,
};
const admins = { ...AUTHORISATION.admins, other: 403 } as const;
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  listDeliveries: AUTHORISATION.users,
  sendTestEvent: AUTHORISATION.users,
  redeliver: AUTHORISATION.users,
  findSuppressions: AUTHORISATION.services,
  liftSuppression: AUTHORISATION.services,
  sendTestMail: { ...AUTHORISATION.services, other: 403 },
  unsubscribe: { ...AUTHORISATION.users, anonymous: 'opens', user: 403, other: null },
  getNewsMails: AUTHORISATION.users,
  setNewsMails: AUTHORISATION.users,
  listExampleMails: AUTHORISATION.admins,
  getExampleMail: admins,
  sendExampleMail: admins,
  timeline: admins,
  listJobs: AUTHORISATION.admins,
  getJob: admins,
  listItems: admins,
  createJob: admins,
  pauseJob: admins,
  continueJob: admins,
  cancelJob: admins,
  undoJob: admins,
  getWorkStatus: AUTHORISATION.admins,
  listFailedJobs: AUTHORISATION.admins,
  retryJob: admins,
  reportVerification: AUTHORISATION.services,
  listDeadLetters: AUTHORISATION.admins,
  getDeadLetter: admins,
  replayDeadLetter: admins,
  discardDeadLetter: admins,
  status: AUTHORISATION.admins,
};

it.each(Object.entries(MATRIX))('D1 %s is open to the callers of its row', async (name, entry) => {
  const endpoint = endpoints[name as keyof typeof endpoints];
  const params = { queue: 'mail', position: '0:0' };
  const body = name === 'setNewsMails' ? { enabled: false } : {};
  expect(await authorisationRow(opened, 'worker', { endpoint, params, body })).toEqual(entry);
});
