import type { Tx } from '@shortlist/kit/db';

/** How far each walk through the provider's lists has come; null is its beginning. */
type Walk = 'events' | 'subscriptions';

export const findCursor = async (tx: Tx, walk: Walk): Promise<string | null> => {
  const rows: { position: string | null }[] = await tx.query('SELECT position FROM cursors WHERE walk = ?', [
    walk,
  ]);
  return rows[0]?.position ?? null;
};

export const setCursor = async (tx: Tx, walk: Walk, position: string | null): Promise<void> => {
  await tx.query(
    'INSERT INTO cursors (walk, position) VALUES (?, ?) ON DUPLICATE KEY UPDATE position = VALUES(position)',
    [walk, position],
  );
};
