import { defineEndpoint } from './endpoint.ts';
import type { DataExportView, DeletionView, SubscriptionChoice } from './privacy.ts';

type None = Record<never, never>;
type Message = { message: string };

/** What a user sends to delete the account. `email`: the address of the account, as a confirmation. */
export type DeletionRequest = { email: string; subscription: SubscriptionChoice; reason?: string };

/** The endpoints of users' own data: a copy of it, and its deletion. */
export const publicPrivacyEndpoints = {
  deletion: defineEndpoint<None, { data: DeletionView | null }>('GET', '/api/privacy/deletion'),
  requestDeletion: defineEndpoint<DeletionRequest, Message & { data: DeletionView }>(
    'POST',
    '/api/privacy/deletion',
  ),
  keepAccount: defineEndpoint<None, Message>('DELETE', '/api/privacy/deletion'),
  userDeletion: defineEndpoint<{ id: string }, { data: DeletionView | null }>(
    'GET',
    '/api/users/:id/deletion',
  ),
  dataExport: defineEndpoint<None, { data: DataExportView | null }>('GET', '/api/privacy/export'),
  requestDataExport: defineEndpoint<None, { data: DataExportView }>('POST', '/api/privacy/export'),
  removeDataExport: defineEndpoint<None, None>('DELETE', '/api/privacy/export'),
  /** The ZIP file. */
  downloadData: defineEndpoint<None, Uint8Array>('GET', '/api/privacy/export/file'),
} as const;
