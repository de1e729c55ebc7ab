import Joi from 'joi';
import { DELETION_REASON_MAX, EXPORT_PARTS } from '../limits.ts';
import { emailSchema } from '../schemas/account.ts';
import {
  count,
  type Message,
  message,
  nullable,
  oneOf,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { line, wholeNumber } from '../schemas/validation.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** What becomes of the subscription of an account that is to be deleted. Nothing is refunded. */
const SUBSCRIPTION_CHOICES = ['end_now', 'keep'] as const;
export type SubscriptionChoice = (typeof SUBSCRIPTION_CHOICES)[number];

/** What a user sends to delete the account. `email`: the address of the account, as a confirmation. */
export type DeletionRequest = { email: string; subscription: SubscriptionChoice; reason?: string };

const deletionRules: Joi.StrictSchemaMap<DeletionRequest> = {
  email: emailSchema,
  subscription: oneOf(SUBSCRIPTION_CHOICES),
  reason: line({ required: 'Please enter a text' }, { max: DELETION_REASON_MAX }).optional().empty(''),
};

const EXPORT_STATES = ['waiting', 'running', 'ready', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** The deletion that a user has requested: until `dueAt`, a log-in can keep the account. */
const deletionView = view({ requestedAt: time, dueAt: time });
export type DeletionView = TypeOf<typeof deletionView>;

/** The latest file with the data of a user. `done`: how many of EXPORT_PARTS are in it. The file is deleted at `expiresAt`. */
const dataExportView = view({
  id: uuid,
  state: oneOf([...EXPORT_STATES, 'expired']),
  done: count,
  requestedAt: time,
  bytes: nullable(count),
  expiresAt: nullable(time),
});
export type DataExportView = TypeOf<typeof dataExportView>;

/** A run of the job that writes a file. A later run takes over: an earlier one can no longer write. */
export type ExportRun = { exportId: string; attempt: number };
type OfAccount = { id: string };

/** identity's endpoints of the deletion of accounts and of the files with users' data. */
export const privacyEndpoints = {
  getDeletion: serviceEndpoint<OfAccount, { data: DeletionView | null }>({
    method: 'GET',
    path: '/accounts/:id/deletion',
    roles: ['user', 'admin'],
    self: 'id',
    input: { id: uuid },
  }),
  /** `keepUntil`: the account is not deleted before. Sessions older than `generation` end. */
  requestDeletion: serviceEndpoint<
    OfAccount & DeletionRequest & { keepUntil?: string | null },
    { data: DeletionView; generation: number }
  >({
    method: 'POST',
    path: '/accounts/:id/deletion',
    roles: ['user'],
    self: 'id',
    input: { id: uuid, ...deletionRules, keepUntil: Joi.string().isoDate().allow(null) },
  }),
  /** Throws `identity.deletion_due` once the deletion has begun. */
  cancelDeletion: serviceEndpoint<OfAccount, None>({
    method: 'DELETE',
    path: '/accounts/:id/deletion',
    roles: ['user'],
    self: 'id',
    input: { id: uuid },
  }),
  /** Deletes an account at once. */
  eraseUser: serviceEndpoint<{ id: string }, { generation: number }>({
    method: 'DELETE',
    path: '/accounts/:id',
    roles: ['admin'],
    input: { id: uuid },
  }),
  /** Causes the reminders that are due, and returns the deletions that are. */
  advanceDeletions: serviceEndpoint<None, { data: { userId: string; deletionId: string; dueAt: string }[] }>({
    method: 'POST',
    path: '/deletions/advance',
    roles: ['service'],
  }),
  /** Deletes an account whose deletion is due. Does nothing when there is none. */
  eraseDueUser: serviceEndpoint<{ deletionId: string }, { deleted: boolean }>({
    method: 'POST',
    path: '/deletions/:deletionId/complete',
    roles: ['service'],
    input: { deletionId: uuid },
  }),

  getDataExport: serviceEndpoint<OfAccount, { data: DataExportView | null }>({
    method: 'GET',
    path: '/accounts/:id/data-export',
    roles: ['user'],
    self: 'id',
    input: { id: uuid },
  }),
  /** Throws `identity.export_running`, and `request.rate_limited` after too many in a day. */
  requestDataExport: serviceEndpoint<OfAccount, { data: DataExportView }>({
    method: 'POST',
    path: '/accounts/:id/data-export',
    roles: ['user'],
    self: 'id',
    status: 202,
    input: { id: uuid },
  }),
  removeDataExport: serviceEndpoint<OfAccount, None>({
    method: 'DELETE',
    path: '/accounts/:id/data-export',
    roles: ['user'],
    self: 'id',
    input: { id: uuid },
  }),
  /** The file. */
  downloadDataExport: serviceEndpoint<OfAccount, Uint8Array>({
    method: 'GET',
    path: '/accounts/:id/data-export/file',
    roles: ['user'],
    self: 'id',
    input: { id: uuid },
  }),
  /** Exports that no job works on. */
  listWaitingExports: serviceEndpoint<None, { data: string[] }>({
    method: 'GET',
    path: '/data-exports/waiting',
    roles: ['service'],
  }),
  /** Begins a run; null when there is nothing to do. */
  startExport: serviceEndpoint<{ exportId: string }, { data: { userId: string; attempt: number } | null }>({
    method: 'POST',
    path: '/data-exports/:exportId/start',
    roles: ['service'],
    input: { exportId: uuid },
  }),
  /** Throws `identity.export_superseded` when another run has taken over, or the user has removed the file. */
  reportExport: serviceEndpoint<ExportRun & { done: number }, None>({
    method: 'POST',
    path: '/data-exports/:exportId/progress',
    roles: ['service'],
    input: {
      exportId: uuid,
      attempt: wholeNumber.min(1).required(),
      done: wholeNumber.min(0).max(EXPORT_PARTS.length).required(),
    },
  }),
  storeExportChunk: serviceEndpoint<ExportRun & { position: number; content: Uint8Array }, None>({
    method: 'PUT',
    path: '/data-exports/:exportId/chunks/:attempt/:position',
    roles: ['service'],
    input: {
      exportId: uuid,
      attempt: wholeNumber.min(1).required(),
      position: wholeNumber.min(0).required(),
    },
  }),
  finishExport: serviceEndpoint<ExportRun & { bytes: number }, None>({
    method: 'POST',
    path: '/data-exports/:exportId/finish',
    roles: ['service'],
    input: { exportId: uuid, attempt: wholeNumber.min(1).required(), bytes: wholeNumber.min(1).required() },
  }),
  /** Ends a run without a file; another may follow. */
  failExport: serviceEndpoint<ExportRun, None>({
    method: 'POST',
    path: '/data-exports/:exportId/fail',
    roles: ['service'],
    input: { exportId: uuid, attempt: wholeNumber.min(1).required() },
  }),
} as const;

/** The endpoints of users' own data: a copy of it, and its deletion. */
export const publicPrivacyEndpoints = {
  deletion: forUsers<None, { data: DeletionView | null }>({
    method: 'GET',
    path: '/api/privacy/deletion',
    duringDeletion: true,
    reply: { data: nullable(deletionView) },
  }),
  requestDeletion: forUsers<DeletionRequest, Message & { data: DeletionView }>({
    method: 'POST',
    path: '/api/privacy/deletion',
    recent: true,
    input: deletionRules,
    reply: { message, data: deletionView },
  }),
  keepAccount: forUsers<None, Message>({
    method: 'DELETE',
    path: '/api/privacy/deletion',
    duringDeletion: true,
    reply: { message },
  }),
  userDeletion: forAdmins<{ id: string }, { data: DeletionView | null }>({
    method: 'GET',
    path: '/api/users/:id/deletion',
    permission: 'users.read',
    input: { id: uuid },
    reply: { data: nullable(deletionView) },
  }),
  deleteUser: forAdmins<{ id: string }, Message>({
    method: 'DELETE',
    path: '/users/:id',
    permission: 'users.delete',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  dataExport: forUsers<None, { data: DataExportView | null }>({
    method: 'GET',
    path: '/api/privacy/export',
    reply: { data: nullable(dataExportView) },
  }),
  requestDataExport: forUsers<None, { data: DataExportView }>({
    method: 'POST',
    path: '/api/privacy/export',
    recent: true,
    status: 202,
    reply: { data: dataExportView },
  }),
  removeDataExport: forUsers<None, None>({ method: 'DELETE', path: '/api/privacy/export', reply: {} }),
  /** The ZIP file. */
  downloadData: forUsers<None, Uint8Array>({
    method: 'GET',
    path: '/api/privacy/export/file',
    recent: true,
    reply: null,
  }),
} as const;
