import type { AlertView } from '@shortlist/contracts/system';
import type { AlertRow } from './alert.entity.ts';

export const presentAlert = ({ alertId, raisedAt, resolvedAt, ...alert }: AlertRow): AlertView => ({
  id: alertId,
  ...alert,
  raisedAt: raisedAt.toISOString(),
  resolvedAt: resolvedAt?.toISOString() ?? null,
});
