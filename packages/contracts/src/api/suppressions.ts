// The addresses to which nothing is sent any more, since a mail came back or its reader called it spam: what SendGrid's event webhook says,
// where worker stores it, and how it ends.
import Joi from 'joi';
import {
  listOf,
  message,
  ofText,
  ofType,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { forAdmins, forUsers, operationsOf } from './operation.ts';

/** worker's path of SendGrid's event webhook, which bff passes on. */
export const SENDGRID_WEBHOOK_PATH = '/webhooks/sendgrid';
/** SendGrid sends a batch when it has 768 kilobytes, or after half a minute. */
export const SENDGRID_WEBHOOK_BYTES = 1024 * 1024;
/** What SendGrid signs is the timestamp followed by the body. */
export const SENDGRID_SIGNATURE_HEADER = 'x-twilio-email-event-webhook-signature';
export const SENDGRID_TIMESTAMP_HEADER = 'x-twilio-email-event-webhook-timestamp';

/** `bounced`: there is no such mailbox, or it refuses us for good. `complained`: its reader marked a mail as spam. */
export const SUPPRESSION_KINDS = ['bounced', 'complained'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

export const suppression = view({
  email: text,
  kind: oneOf(SUPPRESSION_KINDS),
  /** What the server of the mailbox said, as text; '' if it said nothing. */
  reason: text,
  at: time,
});
export type Suppression = TypeOf<typeof suppression>;

/**
 * What a user reads of an own address: neither when nor why, since an address that is not confirmed may be another person's, whose complaint
 * reads as a bounce.
 */
export const ownSuppression = view({ email: text, kind: oneOf(SUPPRESSION_KINDS) });
export type OwnSuppression = TypeOf<typeof ownSuppression>;

/** Addresses of one request: those of the team at most. */
const ADDRESSES_MAX = 500;
const ofWorker = operationsOf('worker');

/** worker's operations. Addresses are in bodies because those of requests are logged. */
export const suppressionEndpoints = {
  /** Those of the addresses to which nothing is sent. */
  findSuppressions: ofWorker('POST /suppressions/find', {
    roles: ['service'],
    input: {
      emails: ofType<string[]>(Joi.array().items(Joi.string().max(254)).max(ADDRESSES_MAX).required()),
    },
    reply: { data: listOf(suppression) },
  }),
  /** Sends to an address again, and has SendGrid do so. Throws `worker.suppression_kept` while SendGrid does not take part. */
  liftSuppression: ofWorker('POST /suppressions/lift', {
    roles: ['service'],
    input: { email: ofText(Joi.string().max(254).required()) },
    reply: {},
  }),
  /** Sends a mail that says nothing but that it has arrived. */
  sendTestMail: ofWorker('POST /users/:userId/test-mail', {
    roles: ['service'],
    status: 202,
    input: { userId: uuid },
    reply: {},
  }),
} as const;

/** identity's record of an admin who has mail sent to the address of an account again, which it returns. */
export const emailRetryEndpoints = {
  /** `role`: of the account. Throws `identity.user_not_found` for any other, and for an admin's unless an owner calls. */
  recordEmailRetry: operationsOf('identity')('POST /accounts/:id/email-retries', {
    roles: ['admin'],
    input: { id: uuid, role: oneOf(['user', 'admin']) },
    reply: { data: view({ email: text }) },
  }),
} as const;

export const publicSuppressionEndpoints = {
  /**
   * Lifts the suppression of the user's address, or of the new one of a change, and has a mail sent to it: its link, or a test. Limited like
   * other mails. Throws `worker.complaint_kept` where it may be another person who complained.
   */
  retryEmail: forUsers('POST /api/email/retry', { status: 202, reply: { message } }),
  retryUserEmail: forAdmins('POST /api/users/:id/email/retry', {
    permission: 'users.edit',
    input: { id: uuid },
    reply: { message },
  }),
  retryAdminEmail: forAdmins('POST /api/admin/team/:id/email/retry', {
    permission: 'team.manage',
    input: { id: uuid },
    reply: { message },
  }),
} as const;
