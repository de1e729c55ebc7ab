import { publicEndpoints } from '@shortlist/contracts/api/public';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { passkeyAnswer } from './fake-identity.ts';
import { type EndpointName, endpointNames } from './requests.ts';

const [email, password] = ['worst.body@talent.test', 'open sesame'];
const token = 'A'.repeat(43);
const passkey = passkeyAnswer(token);
const { clientDataJSON } = passkey.response;
const profile = exampleProfile({ lastName: 'Okafor' });

/** An ordinary value of each field that a declared body must have, and of some that it may have. */
const VALUES: Record<string, unknown> = {
  ...{ email, password, token, name: 'Ada Byron', role: 'support' },
  currentPassword: password,
  ticket: token,
  code: '123456',
  xsl: 'cs_test_1',
  reason: 'email_found',
  note: 'refunded',
  text: 'Asked for an invoice\nby mail',
  enabled: false,
  passkey: { ...passkey, response: { clientDataJSON, attestationObject: 'AA' } },
  ...{ url: 'https://example.com/hook', events: ['credits.low'], isOn: true },
  ...{ scopes: ['credits:read'], expiresInDays: 90 },
  ...{ credits: 50, lastDay: '2026-12-31' },
  ...{ source: 'device', request: 'BCDF-GHJK' },
  ...{ audience: 'premium', tone: 'warn', linkLabel: 'See the plan', linkTo: '/subscription' },
  ...{ from: '2026-12-01T09:00:00.000Z', until: '2026-12-02T09:00:00.000Z' },
  withAccess: true,
  subscription: 'keep',
};

type Body = Record<string, unknown>;
const bodyOf = (name: EndpointName): Body => {
  const { path, schema } = publicEndpoints[name];
  const { keys = {} } = schema.describe() as { keys?: object };
  const known = Object.keys(keys).filter((field) => field in VALUES && !path.includes(`:${field}`));
  return Object.fromEntries(known.map((field) => [field, VALUES[field]]));
};

type Name = EndpointName | 'stripeWebhook' | 'sendgridWebhook';
/** An ordinary body of each endpoint. */
export const EXAMPLE_BODIES: Record<Name, Body> = {
  ...(Object.fromEntries(endpointNames.map((name) => [name, bodyOf(name)])) as Record<EndpointName, Body>),
  signup: { email, password, ...profile },
  updateUser: profile,
  login: { email, password },
  adminLogin: { email, password },
  secondFactor: { ticket: token, passkey },
  passkeyLogIn: { passkey, role: 'user' },
  reauthenticate: { passkey },
  saveFilter: { name: 'Free in Norway', query: { plan: 'free', country: 'Norway' } },
  createBulkJob: { kind: 'end_sessions', reason: 'Shared laptops', filter: { plan: 'free' } },
  changeInterval: {
    interval: 'year',
    amount: 53_100,
    currency: 'usd',
    prorationAt: '2026-12-01T09:00:00.000Z',
  },
  previewInterval: { interval: 'year' },
  refundPayment: { amount: 2_950, left: 5_900, reason: 'Plan not used' },
  // An invoice of ten lines with metadata.
  stripeWebhook: { id: 'evt_1', type: 'invoice.paid', data: 'x'.repeat(90_000) },
  // Some hundred events.
  sendgridWebhook: { events: 'x'.repeat(350_000) },
};
