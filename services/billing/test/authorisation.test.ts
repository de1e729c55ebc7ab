import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { billingEndpoints, packEndpoints } from '@shortlist/contracts/api/billing';
import { paymentEndpoints } from '@shortlist/contracts/api/payments';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { revenueEndpoints } from '@shortlist/contracts/api/revenue';
import { deadLetterEndpoints, statusEndpoint } from '@shortlist/contracts/api/status';
import { stripeEventEndpoints } from '@shortlist/contracts/api/system';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import {
  AUTHORISATION,
  type AuthorisationRow,
  authorisationRow,
  NARROW,
} from '@shortlist/kit/testing/authorisation-cases';
import { afterAll, expect, it } from 'vitest';
import { openBilling } from './support.ts';

const billing = await openBilling(NARROW);
afterAll(() => billing.close());

const endpoints = {
  ...billingEndpoints,
  ...packEndpoints,
  ...paymentEndpoints,
  ...revenueEndpoints,
  ...stripeEventEndpoints,
  ...deadLetterEndpoints,
  status: statusEndpoint,
  audit: auditEndpoint,
  timeline: timelineEndpoint,
  dataExport: dataExportEndpoints.billing,
};
const range = { from: '2026-03-01', to: '2026-03-31' };
const admins = { ...AUTHORISATION.admins, other: 403 } as const;
/** Every endpoint of the service; a missing one does not compile. */
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  getOffer: AUTHORISATION.services,
  findUsersByReference: { ...AUTHORISATION.admins, other: null },
  getStripeSetup: AUTHORISATION.admins,
  getSubscription: AUTHORISATION.authenticated,
  getCreditSources: { ...AUTHORISATION.services, other: 403 },
  openCheckout: AUTHORISATION.users,
  confirmCheckout: AUTHORISATION.users,
  openPortal: AUTHORISATION.users,
  resumePlan: AUTHORISATION.usersAndAdmins,
  previewInterval: AUTHORISATION.users,
  changeInterval: AUTHORISATION.users,
  keepInterval: AUTHORISATION.users,
  refreshSubscription: AUTHORISATION.users,
  listInvoices: AUTHORISATION.users,
  openInvoiceFile: AUTHORISATION.users,
  getPackOffer: { ...AUTHORISATION.services, user: 'opens', other: null },
  listCreditPacks: { ...AUTHORISATION.users, service: 'opens' },
  openPackCheckout: AUTHORISATION.users,
  confirmPackCheckout: AUTHORISATION.users,
  grantPlan: admins,
  endGrant: admins,
  revokePlan: AUTHORISATION.usersAndAdmins,
  earnings: { ...AUTHORISATION.admins, service: 'opens' },
  listPayments: AUTHORISATION.admins,
  sumPayments: AUTHORISATION.admins,
  exportPayments: AUTHORISATION.admins,
  getPayment: admins,
  refundPayment: admins,
  retryPayment: admins,
  sendReceipt: admins,
  noteDispute: admins,
  getRevenue: AUTHORISATION.admins,
  listRevenue: AUTHORISATION.admins,
  exportRevenue: AUTHORISATION.admins,
  listRetention: AUTHORISATION.admins,
  listRevenueEntries: AUTHORISATION.admins,
  listSubscribers: AUTHORISATION.admins,
  listAlerts: AUTHORISATION.admins,
  resolveAlert: admins,
  reopenAlert: admins,
  getStripeStatus: AUTHORISATION.admins,
  listStripeEvents: AUTHORISATION.admins,
  getStripeEvent: admins,
  replayStripeEvent: admins,
  replayStripeEvents: AUTHORISATION.admins,
  status: AUTHORISATION.admins,
  listDeadLetters: AUTHORISATION.admins,
  getDeadLetter: admins,
  replayDeadLetter: admins,
  discardDeadLetter: admins,
  audit: AUTHORISATION.admins,
  timeline: { ...AUTHORISATION.admins, other: 403 },
  dataExport: { ...AUTHORISATION.services, other: 403 },
  endDuePlans: AUTHORISATION.services,
  warnOfCards: AUTHORISATION.services,
  listPayers: AUTHORISATION.services,
  reportPayers: AUTHORISATION.services,
  reconcile: AUTHORISATION.services,
  retryInbox: AUTHORISATION.services,
};
const user = { email: 'ada@people.test', name: 'Ada Lovelace' };
/** Valid inputs of the endpoints with fields besides the path. */
const BODIES: Partial<Record<keyof typeof endpoints, object>> = {
  openCheckout: user,
  previewInterval: { interval: 'year' },
  changeInterval: { interval: 'year', amount: 1, currency: 'usd', prorationAt: '2026-03-01T12:00:00Z' },
  reportPayers: { withoutAccount: [] },
  grantPlan: user,
  openPackCheckout: user,
  confirmPackCheckout: { sessionId: 'cs_1' },
  confirmCheckout: { sessionId: 'cs_1' },
  openPortal: { customerId: 'cus_1' },
  findUsersByReference: { reference: 'cus_1' },
  noteDispute: { note: 'Answered' },
  refundPayment: { amount: 1, left: 1, reason: 'Not used' },
  getRevenue: { ...range, compare: 'none' },
  listRevenue: { ...range, step: 'day' },
  exportRevenue: { ...range, step: 'day' },
  listRevenueEntries: { ...range, kind: 'new' },
  resolveAlert: { note: 'Refunded' },
  reopenAlert: { note: 'Not refunded' },
};

it.each(Object.entries(MATRIX))(
  'D1 %s is restricted to its roles; J2 the smallest connection pool is enough',
  async (name, entry) => {
    const key = name as keyof typeof endpoints;
    const { [key]: endpoint } = endpoints;
    const { [key]: body = {} } = BODIES;
    expect(
      await authorisationRow(billing, 'billing', {
        endpoint,
        body,
        params: { section: 'plan', invoiceId: 'in_1', disputeId: 'dp_1', eventId: 'evt_1', position: '0:0' },
      }),
    ).toEqual(entry);
  },
);
