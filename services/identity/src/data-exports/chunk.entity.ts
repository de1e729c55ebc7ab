import { EntitySchema } from 'typeorm';

/** A piece of a file. The piece expires by itself, a week after it was written. */
export type ChunkRow = {
  exportId: string;
  attempt: number;
  position: number;
  content: Buffer;
  expiresAt: Date;
};

export const chunkEntity = new EntitySchema<ChunkRow>({
  name: 'data_export_chunk',
  tableName: 'data_export_chunks',
  columns: {
    exportId: { name: 'export_id', type: 'char', length: 36, primary: true },
    attempt: { type: 'int', unsigned: true, primary: true },
    position: { type: 'int', unsigned: true, primary: true },
    content: { type: 'mediumblob' },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
  },
});
