import { EntitySchema } from 'typeorm';

/** A window for which CreditsExhausted was emitted. */
export type ExhaustedWindowRow = { windowId: number; userId: string };

export const exhaustedWindowEntity = new EntitySchema<ExhaustedWindowRow>({
  name: 'exhausted_window',
  tableName: 'exhausted_windows',
  columns: {
    windowId: { name: 'window_id', type: 'bigint', unsigned: true, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
  },
});
