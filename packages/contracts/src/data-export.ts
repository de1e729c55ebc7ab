import Joi from 'joi';
import { operationsOf } from './api/operation.ts';
import { PROFILE_FIELDS } from './profile-fields.ts';
import { listOf, mayLack, nextCursor, ofText, ofType, uuid } from './schemas/typed.ts';

/** The columns of the audit entries about a user. */
export const CHANGE_COLUMNS = ['id', 'at', 'by', 'action', 'before', 'after'] as const;

/** The personal data of a user at each service, by section. A row has these columns, in this order. */
export const EXPORT_SECTIONS = {
  identity: {
    account: [
      'id',
      'email',
      'createdAt',
      'emailVerifiedAt',
      'termsVersion',
      'termsAcceptedAt',
      'deletionRequestedAt',
      'deletionDueAt',
    ],
    email_changes: ['oldEmail', 'newEmail', 'requestedAt', 'confirmedAt', 'endedAt'],
    sign_ins: [
      'id',
      'at',
      'outcome',
      'method',
      'attempts',
      'browser',
      'system',
      'network',
      'place',
      'isNewDevice',
    ],
    sign_in_methods: ['kind', 'name', 'createdAt', 'lastUsedAt'],
    api_keys: [
      'id',
      'name',
      'scopes',
      'hint',
      'createdAt',
      'expiresAt',
      'revokedAt',
      'lastUsedDay',
      'lastUsedNetwork',
    ],
    webhooks: ['id', 'url', 'events', 'createdAt', 'stop', 'failingSince'],
    connections: [
      'id',
      'name',
      'scopes',
      'device',
      'browser',
      'system',
      'createdAt',
      'expiresAt',
      'endedAt',
      'lastUsedDay',
      'lastUsedNetwork',
    ],
    changes: CHANGE_COLUMNS,
  },
  profile: {
    profile: ['id', 'email', ...PROFILE_FIELDS.map(({ name }) => name), 'picture', 'createdAt'],
    /** Files: each row has a name and the content in base64. */
    pictures: ['name', 'content'],
    changes: CHANGE_COLUMNS,
  },
  billing: {
    plan: [
      'plan',
      'periodStart',
      'periodEnd',
      'renews',
      'paymentProblem',
      'paymentProblemSince',
      'customerId',
      'email',
      'name',
      'cardsWarned',
    ],
    subscriptions: [
      'subscriptionId',
      'status',
      'startedAt',
      'canceledAt',
      'endedAt',
      'cancelReason',
      'priceAmount',
      'priceCurrency',
    ],
    invoices: [
      'invoiceId',
      'number',
      'credits',
      'status',
      'amount',
      'currency',
      'tax',
      'discount',
      'refunded',
      'periodStart',
      'periodEnd',
      'paidAt',
      'hostedUrl',
    ],
    packs: ['packId', 'invoiceId', 'credits', 'paidCredits', 'amount', 'currency', 'state', 'paidAt'],
    disputes: ['disputeId', 'invoiceId', 'amount', 'currency', 'reason', 'status', 'openedAt', 'closedAt'],
    changes: CHANGE_COLUMNS,
  },
  credits: {
    windows: ['plan', 'limit', 'used', 'startsAt', 'endsAt'],
    ledger: ['id', 'amount', 'reason', 'reference', 'createdAt', 'clientId', 'requestedAmount'],
    buckets: ['kind', 'credits', 'used', 'usable', 'endsAt', 'createdAt', 'reason'],
    settings: ['creditMails'],
    changes: CHANGE_COLUMNS,
  },
} as const;

export type ExportingService = keyof typeof EXPORT_SECTIONS;
export type ExportSection<Service extends ExportingService> = keyof (typeof EXPORT_SECTIONS)[Service];

/** One record of a section. Times are ISO 8601. */
export type ExportRow = Record<string, unknown>;
const dataExportOf = (service: ExportingService) =>
  operationsOf(service)('GET /data-export/:userId/:section', {
    roles: ['service'],
    input: {
      userId: uuid,
      section: ofText(
        Joi.string()
          .valid(...Object.keys(EXPORT_SECTIONS[service]))
          .required(),
      ),
      cursor: mayLack(ofText(Joi.string().pattern(/^[\x21-\x7e]{1,100}$/))),
    },
    reply: { data: listOf(ofType<ExportRow>(Joi.object().unknown())), next: nextCursor },
  });

/** The same endpoint at each service that stores personal data, with its own sections. */
export const dataExportEndpoints = {
  identity: dataExportOf('identity'),
  profile: dataExportOf('profile'),
  billing: dataExportOf('billing'),
  credits: dataExportOf('credits'),
} as const;
