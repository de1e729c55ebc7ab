import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { ALERT_KINDS } from '@shortlist/contracts/api/billing';
import type { MailData, Secrets, Template } from './mail-data.ts';

const TIME = '2026-11-18T09:12:00.000Z';
const LATER = '2026-12-18T09:12:00.000Z';
const SECRET = { token: 'V'.repeat(43), code: '204815' };
const ABOUT_CHANGE = { reference: '01999999-0000-7000-8000-000000000000', ...SECRET };
const ORIGIN = { browser: 'Firefox', system: 'macOS', place: 'Lagos, Nigeria', at: TIME };
const PAYMENT = {
  invoiceId: 'in_1SxZ4T',
  amount: '6337',
  currency: 'usd',
  paidAt: TIME,
  periodEnd: LATER,
};
const RECEIPT = {
  ...PAYMENT,
  number: 'QX7K2M1B-0004',
  tax: '437',
  invoicedFrom: TIME,
  invoicedUntil: LATER,
  pdfUrl: 'https://pay.stripe.test/invoice/acct_1/live_2/pdf?s=ap&x=1',
};

/** Every email but the one that shows an example of another. */
type ExampleTemplate = Exclude<Template, 'example'>;

/** Values for each variant of each email. */
const EXAMPLES: { [Name in ExampleTemplate]: (MailData[Name] & Secrets)[] } = {
  welcome: [SECRET, {}],
  verify_email: [SECRET],
  confirm_reminder: [{ dueAt: LATER, ...SECRET }],
  confirm_registration: [SECRET],
  password_reset: [SECRET],
  confirm_new_email: [ABOUT_CHANGE],
  email_taken: [{}],
  message: [
    { subject: 'Planned maintenance', text: 'We update Shortlist on Sunday.\n\nYou need to do nothing.' },
  ],
  news: [
    {
      subject: 'Three ways to write a better first message',
      text: 'Name the role in the first line.\n\nSay why you write to this person.\n\nEnd with one question.',
    },
  ],
  test: [{}],
  email_change_started: [{ ...ABOUT_CHANGE, startedAt: TIME }],
  email_changed: [{ ...ABOUT_CHANGE, changedAt: TIME }],
  password_changed: [
    { changedAt: TIME, changedBy: 'user' },
    { changedAt: TIME, changedBy: 'admin' },
  ],
  admin_invitation: [{ role: 'support', ...SECRET }],
  invitation_sent: [{ role: 'finance' }],
  owner_added: [{ by: 'an-admin' }, { by: SYSTEM_ACTOR_ID }],
  receipt: [RECEIPT, { ...RECEIPT, pdfUrl: '' }, { ...RECEIPT, amount: '0', tax: '0' }, PAYMENT],
  payment_failed: [
    { graceUntil: LATER, confirmUrl: '' },
    { graceUntil: '', confirmUrl: 'https://pay.stripe.test/i/acct_1/live_2?s=ap' },
  ],
  pack_bought: [{ credits: '250', paidAt: TIME }],
  plan_granted: [{ periodEnd: LATER }],
  plan_revoked: [{ reason: 'canceled' }, { reason: 'grace_end' }, { reason: 'dispute' }],
  renewal_stopped: [
    { premiumUntil: LATER, renewsUntil: '' },
    { premiumUntil: LATER, renewsUntil: LATER },
  ],
  renewal_resumed: [{ periodEnd: LATER }],
  trial_ending: [
    { endsAt: LATER, amount: '5900', currency: 'usd', interval: 'month' },
    { endsAt: LATER, amount: '', currency: 'eur', interval: 'year' },
  ],
  card_expiring: [{ brand: 'visa', last4: '4242', expires: '2026-12' }],
  credits_low: [
    { plan: 'free', left: '4', beside: '0', limit: '20', windowEnd: LATER },
    { plan: 'premium', left: '100', beside: '40', limit: '500', windowEnd: LATER },
  ],
  credits_granted: [{ credits: '50', endsAt: LATER }],
  credits_exhausted: [{ limit: '500', windowEnd: LATER }],
  two_step_on: [{}],
  two_step_off: [{ reason: 'Lost the phone, case 4711' }],
  passkey_added: [{}],
  passkey_removed: [{}],
  recovery_codes_renewed: [{}],
  recovery_code_used: [{ left: '1', at: TIME }],
  webhook_created: [{ host: 'hooks.example.com', events: 'credits.low,credits.exhausted', createdAt: TIME }],
  webhook_failing: [{ host: 'hooks.example.com', since: TIME, stopsAt: TIME }],
  webhook_stopped: [
    { host: 'hooks.example.com', stop: 'failing' },
    { host: 'hooks.example.com', stop: 'gone' },
  ],
  api_key_created: [
    {
      name: 'Zapier',
      scopes: 'credits:read,credits:charge,profile:read',
      hint: 'sl_live_4k…x7Qa',
      createdAt: TIME,
    },
  ],
  tool_connected: [
    {
      name: 'Automation bot',
      scopes: 'credits:read,credits:charge',
      device: 'MacBook of Marta',
      createdAt: TIME,
    },
    { name: 'Browser extension', scopes: 'credits:read', device: '', createdAt: TIME },
  ],
  tool_ended: [
    { name: 'Automation bot', device: 'MacBook of Marta', browser: '', system: '', endedAt: TIME },
    { name: 'Browser extension', device: '', browser: 'Firefox', system: 'macOS', endedAt: TIME },
  ],
  new_device: [ORIGIN],
  login_locked: [ORIGIN],
  second_factors_refused: [ORIGIN],
  deletion_requested: [{ dueAt: LATER }],
  deletion_approaching: [{ dueAt: LATER }],
  deletion_cancelled: [{}],
  account_deleted: [{}],
  data_ready: [{ expiresAt: LATER }],
  alert: ALERT_KINDS.map((kind) => ({
    kind,
    objectId: 'dp_1SxZ4T',
    amount: '5900',
    currency: 'usd',
    detail: 'The reason given is fraudulent.',
  })),
};

export type Example = {
  name: string;
  template: ExampleTemplate;
  data: MailData[ExampleTemplate] & Secrets;
};

/** Each variant of each email has a name. */
export const EXAMPLE_LIST: readonly Example[] = Object.entries(EXAMPLES).flatMap(([template, variants]) =>
  variants.map((data, index) => ({
    name: index === 0 ? template : `${template}-${index + 1}`,
    template: template as ExampleTemplate,
    data,
  })),
);

export const findExample = (name: string): Example | null =>
  EXAMPLE_LIST.find((example) => example.name === name) ?? null;
