import type { Tx } from '@shortlist/kit/data/db';

/** How far each walk through the provider's lists has come; null is its beginning. */
type ListName = 'events' | 'subscriptions';

export const findCursor = async (tx: Tx, list: ListName): Promise<string | null> => {
  const rows: { position: string | null }[] = await tx.query('SELECT position FROM cursors WHERE list = ?', [
    list,
  ]);
  return rows[0]?.position ?? null;
};

export const setCursor = async (tx: Tx, list: ListName, position: string | null): Promise<void> => {
  await tx.query(
    'INSERT INTO cursors (list, position) VALUES (?, ?) ON DUPLICATE KEY UPDATE position = VALUES(position)',
    [list, position],
  );
};
