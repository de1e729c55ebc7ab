import type { DeletionView } from '@shortlist/contracts/api/privacy';
import type { DeletionRow } from './deletion.entity.ts';

export const presentDeletion = ({ requestedAt, dueAt }: DeletionRow): DeletionView => ({
  requestedAt: requestedAt.toISOString(),
  dueAt: dueAt.toISOString(),
});
