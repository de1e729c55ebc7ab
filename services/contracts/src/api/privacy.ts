import { defineEndpoint } from './endpoint.ts';

/** What becomes of the subscription of an account that is to be deleted. Nothing is refunded. */
export const SUBSCRIPTION_CHOICES = ['end_now', 'keep'] as const;
export type SubscriptionChoice = (typeof SUBSCRIPTION_CHOICES)[number];

/** The deletion that a user has requested: until `dueAt`, a log-in can keep the account. */
export type DeletionView = { requestedAt: string; dueAt: string };

export const EXPORT_STATES = ['waiting', 'running', 'ready', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** The latest file with the data of a user. `done`: how many of EXPORT_PARTS are in it. The file is deleted at `expiresAt`. */
export type DataExportView = {
  id: string;
  state: ExportState | 'expired';
  done: number;
  requestedAt: string;
  bytes: number | null;
  expiresAt: string | null;
};

/** A run of the job that writes a file. A later run takes over: an earlier one can no longer write. */
export type ExportRun = { exportId: string; attempt: number };
type OfAccount = { id: string };
type None = Record<never, never>;

/** identity's endpoints of the deletion of accounts and of the files with users' data. */
export const privacyEndpoints = {
  getDeletion: defineEndpoint<OfAccount, { data: DeletionView | null }>('GET', '/accounts/:id/deletion'),
  /** `keepUntil`: the account is not deleted before. Sessions older than `generation` end. */
  requestDeletion: defineEndpoint<
    OfAccount & {
      email: string;
      keepUntil?: string | null;
      subscription: SubscriptionChoice;
      reason?: string;
    },
    { data: DeletionView; generation: number }
  >('POST', '/accounts/:id/deletion'),
  /** Throws `identity.deletion_due` once the deletion has begun. */
  cancelDeletion: defineEndpoint<OfAccount, None>('DELETE', '/accounts/:id/deletion'),
  /** Causes the reminders that are due. */
  remindDeletions: defineEndpoint<None, { reminded: number; more: boolean }>('POST', '/deletions/remind'),
  listDueDeletions: defineEndpoint<None, { data: { userId: string; deletionId: string; dueAt: string }[] }>(
    'GET',
    '/deletions/due',
  ),
  /** Deletes an account whose deletion is due. Does nothing when there is none. */
  completeDeletion: defineEndpoint<{ deletionId: string }, { deleted: boolean }>(
    'POST',
    '/deletions/:deletionId/complete',
  ),

  getDataExport: defineEndpoint<OfAccount, { data: DataExportView | null }>(
    'GET',
    '/accounts/:id/data-export',
  ),
  /** Throws `identity.export_running`, and `request.rate_limited` after too many in a day. */
  requestDataExport: defineEndpoint<OfAccount, { data: DataExportView }>('POST', '/accounts/:id/data-export'),
  removeDataExport: defineEndpoint<OfAccount, None>('DELETE', '/accounts/:id/data-export'),
  /** The file. */
  downloadDataExport: defineEndpoint<OfAccount, Uint8Array>('GET', '/accounts/:id/data-export/file'),
  /** Exports that no job works on. */
  listWaitingExports: defineEndpoint<None, { data: string[] }>('GET', '/data-exports/waiting'),
  /** Begins a run; null when there is nothing to do. */
  startExport: defineEndpoint<{ exportId: string }, { data: { userId: string; attempt: number } | null }>(
    'POST',
    '/data-exports/:exportId/start',
  ),
  /** Throws `identity.export_superseded` when another run has taken over, or the user has removed the file. */
  reportExport: defineEndpoint<ExportRun & { done: number }, None>(
    'POST',
    '/data-exports/:exportId/progress',
  ),
  storeExportChunk: defineEndpoint<ExportRun & { position: number; content: Uint8Array }, None>(
    'PUT',
    '/data-exports/:exportId/chunks/:attempt/:position',
  ),
  finishExport: defineEndpoint<ExportRun & { bytes: number }, None>('POST', '/data-exports/:exportId/finish'),
  /** Ends a run without a file; another may follow. */
  failExport: defineEndpoint<ExportRun, None>('POST', '/data-exports/:exportId/fail'),
} as const;
