import Joi from 'joi';
import { addressesOf, forAdmins, forUsers, operationsOf, toAdmins, toUsers } from './operation.ts';
import { PROFILE_FIELDS } from '../profile-fields.ts';
import * as rule from '../schemas/validation.ts';
import { DELETION_REASON_MAX, EXPORT_PARTS } from '../limits.ts';
import { emailSchema } from '../schemas/account.ts';

type Word<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text;
const columns = <const Text extends string>(names: Text) => names.split(' ') as Word<Text>[];

/** The columns of the audit entries about a user. */
export const CHANGE_COLUMNS = columns('id at by action before after');

/** The personal data of a user in each service, by section, with the columns of its rows in order. */
export const EXPORT_SECTIONS = {
  identity: {
    account: columns(
      'id email createdAt emailVerifiedAt termsVersion termsAcceptedAt deletionRequestedAt deletionDueAt',
    ),
    email_changes: columns('oldEmail newEmail requestedAt confirmedAt endedAt'),
    sign_ins: columns('id at outcome method attempts browser system network place isNewDevice'),
    sign_in_methods: columns('kind name createdAt lastUsedAt'),
    api_keys: columns('id name scopes hint createdAt expiresAt revokedAt lastUsedDay lastUsedNetwork'),
    webhooks: columns('id url events createdAt stop failingSince'),
    connections: columns(
      'id name scopes device browser system createdAt expiresAt endedAt lastUsedDay lastUsedNetwork',
    ),
    changes: CHANGE_COLUMNS,
  },
  profile: {
    profile: ['id', 'email', ...PROFILE_FIELDS.map(({ name }) => name), 'picture', 'createdAt'],
    /** Files: each row has a name and the content in base64. */
    pictures: columns('name content'),
    /** Of admins, whom they do not name. */
    notes: columns('text createdAt'),
    changes: CHANGE_COLUMNS,
  },
  billing: {
    plan: columns(
      'plan periodStart periodEnd renews paymentProblem paymentProblemSince customerId email name card cardsWarned priceInterval nextInterval discount trialEndsAt isTrialRefused',
    ),
    subscriptions: columns(
      'subscriptionId status startedAt canceledAt endedAt cancelReason priceAmount priceCurrency priceInterval',
    ),
    invoices: columns(
      'invoiceId number credits status amount currency tax discount refunded periodStart periodEnd paidAt hostedUrl',
    ),
    packs: columns('packId invoiceId credits paidCredits amount currency state paidAt'),
    disputes: columns('disputeId invoiceId amount currency reason status openedAt closedAt'),
    changes: CHANGE_COLUMNS,
  },
  credits: {
    windows: columns('plan limit used startsAt endsAt'),
    ledger: columns('id amount reason reference createdAt clientId requestedAmount'),
    buckets: columns('kind credits used usable endsAt createdAt reason'),
    settings: columns('creditMails'),
    changes: CHANGE_COLUMNS,
  },
} as const;

export type ExportingService = keyof typeof EXPORT_SECTIONS;
export type ExportSection<Service extends ExportingService> = keyof (typeof EXPORT_SECTIONS)[Service];

export type ExportRow = Record<string, unknown>;
const dataExportOf = (service: ExportingService) =>
  operationsOf(service)('GET /data-export/:userId/:section', {
    roles: ['service'],
    input: {
      section: Joi.string()
        .valid(...Object.keys(EXPORT_SECTIONS[service]))
        .required(),
      cursor: rule.mayLack(Joi.string().pattern(/^[\x21-\x7e]{1,100}$/)),
    },
    reply: { data: rule.listOf(rule.ofType<ExportRow>(Joi.object().unknown())), next: rule.nextCursor },
  });

/** The same endpoint in each service that stores personal data, with its own sections. */
export const dataExportEndpoints = {
  identity: dataExportOf('identity'),
  profile: dataExportOf('profile'),
  billing: dataExportOf('billing'),
  credits: dataExportOf('credits'),
} as const;

/** What happens to the subscription when an account is deleted. Nothing is refunded. */
const SUBSCRIPTION_CHOICES = ['end_now', 'keep'] as const;
export type SubscriptionChoice = (typeof SUBSCRIPTION_CHOICES)[number];

/** A user's request to delete the account. `email`: the account's email, as a confirmation. */
const deletionRules = {
  email: emailSchema,
  subscription: rule.oneOf(SUBSCRIPTION_CHOICES),
  reason: rule.mayLack(
    rule.line({ required: 'Please enter a text' }, { max: DELETION_REASON_MAX }).empty(''),
  ),
};
export type DeletionRequest = rule.TypeOf<typeof deletionRules>;

export const EXPORT_STATES = ['waiting', 'running', 'ready', 'failed'] as const;

/** A requested deletion: until `dueAt`, the user can log in and keep the account. */
const deletionView = rule.view({ requestedAt: rule.time, dueAt: rule.time });
export type DeletionView = rule.TypeOf<typeof deletionView>;

/** The latest file with a user's data. `done`: how many of EXPORT_PARTS it contains. It is deleted at `expiresAt`. */
const dataExportView = rule.view({
  id: rule.uuid,
  state: rule.oneOf([...EXPORT_STATES, 'expired']),
  done: rule.count,
  requestedAt: rule.time,
  bytes: rule.nullable(rule.count),
  expiresAt: rule.nullable(rule.time),
});
export type DataExportView = rule.TypeOf<typeof dataExportView>;

/** One run of the job that writes a file. Once a later run begins, an earlier one can no longer write. */
const exportRun = { exportId: rule.uuid, attempt: rule.wholeNumber.min(1) };
export type ExportRun = rule.TypeOf<typeof exportRun>;
const operation = operationsOf('identity');
const byUser = operationsOf('identity', { roles: ['user'], self: 'id' });
const byService = operationsOf('identity', { roles: ['service'] });

export const privacyEndpoints = {
  getDeletion: operation('GET /accounts/:id/deletion', {
    roles: ['user', 'admin'],
    self: 'id',
    reply: { data: rule.nullable(deletionView) },
    public: {
      deletion: toUsers('/api/privacy/deletion', { duringDeletion: true }),
      userDeletion: toAdmins('/api/users/:id/deletion', { permission: 'users.read' }),
    },
  }),
  /** `keepUntil`: the earliest time of the deletion. Sessions older than `generation` end. */
  requestDeletion: byUser('POST /accounts/:id/deletion', {
    input: { ...deletionRules, keepUntil: rule.mayLack(rule.nullable(Joi.string().isoDate())) },
    reply: { data: deletionView, generation: rule.count },
  }),
  /** Throws `identity.deletion_due` once the deletion has begun. */
  cancelDeletion: byUser('DELETE /accounts/:id/deletion', {}),
  /** `jobId`: of the deletion of many users, for the audit log. The entry about the job has its reason, which may name a person, alone. */
  eraseUser: operation('DELETE /accounts/:id', {
    roles: ['admin'],
    input: { jobId: rule.mayLack(rule.uuid) },
    reply: { generation: rule.count },
  }),
  /** Causes due reminders and returns due deletions. */
  advanceDeletions: byService('POST /deletions/advance', {
    reply: { data: rule.listOf(rule.view({ userId: rule.uuid, deletionId: rule.uuid, dueAt: rule.time })) },
  }),
  /** Deletes the account if its deletion is due. */
  eraseDueUser: byService('POST /deletions/:deletionId/complete', { reply: { deleted: rule.flag } }),

  getDataExport: byUser('GET /accounts/:id/data-export', {
    reply: { data: rule.nullable(dataExportView) },
    public: { dataExport: toUsers('/api/privacy/export') },
  }),
  /** Throws `identity.export_running`, and `request.rate_limited` after too many in a day. */
  requestDataExport: byUser('POST /accounts/:id/data-export', {
    status: 202,
    reply: { data: dataExportView },
    public: { requestDataExport: toUsers('/api/privacy/export', { recent: true }) },
  }),
  removeDataExport: byUser('DELETE /accounts/:id/data-export', {
    public: { removeDataExport: toUsers('/api/privacy/export') },
  }),
  downloadDataExport: byUser('GET /accounts/:id/data-export/file', {
    reply: 'bytes',
    public: { downloadData: toUsers('/api/privacy/export/file', { recent: true }) },
  }),
  /** Exports that no job works on. */
  listWaitingExports: byService('GET /data-exports/waiting', { reply: { data: rule.listOf(rule.uuid) } }),
  /** Begins a run; null when there is nothing to do. */
  startExport: byService('POST /data-exports/:exportId/start', {
    reply: { data: rule.nullable(rule.view({ userId: rule.uuid, attempt: rule.count })) },
  }),
  /** Throws `identity.export_superseded` if another run has taken over or the user has removed the file. */
  reportExport: byService('POST /data-exports/:exportId/progress', {
    input: { ...exportRun, done: rule.wholeNumber.min(0).max(EXPORT_PARTS.length) },
  }),
  storeExportChunk: byService('PUT /data-exports/:exportId/chunks/:attempt/:position', {
    input: { ...exportRun, position: rule.wholeNumber.min(0), content: rule.bytes },
  }),
  finishExport: byService('POST /data-exports/:exportId/finish', {
    input: { ...exportRun, bytes: rule.wholeNumber.min(1) },
  }),
  /** Ends a run without a file; another may follow. */
  failExport: byService('POST /data-exports/:exportId/fail', { input: exportRun }),
} as const;

export const publicPrivacyEndpoints = {
  ...addressesOf(privacyEndpoints),
  requestDeletion: forUsers('POST /api/privacy/deletion', {
    recent: true,
    input: deletionRules,
    reply: { message: rule.message, data: deletionView },
  }),
  keepAccount: forUsers('DELETE /api/privacy/deletion', { duringDeletion: true, reply: rule.noData }),
  deleteUser: forAdmins('DELETE /users/:id', {
    permission: 'users.delete',
    recent: true,
    reply: rule.noData,
  }),
} as const;
