import { EntitySchema } from 'typeorm';

/** When a user's next free window is due. */
export type FreeCycleRow = { userId: string; dueAt: Date };

export const freeCycleEntity = new EntitySchema<FreeCycleRow>({
  name: 'free_cycle',
  tableName: 'free_cycles',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
  },
});
