import { EntitySchema, type ValueTransformer } from 'typeorm';
import type { Template } from './templates.ts';

/** One mail. `uncertain`: the provider may have accepted it although its response was lost. */
export type MailRow = {
  id: string;
  template: Template;
  userId: string;
  eventId: string;
  data: Record<string, string>;
  status: 'pending' | 'sending' | 'sent' | 'failed' | 'skipped';
  uncertain: boolean;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  changedAt: Date;
  /** When `data` was removed, because the user was deleted. */
  redactedAt: Date | null;
};

const json: ValueTransformer = {
  to: (value: unknown) => (value === undefined ? value : JSON.stringify(value)),
  from: (text: string) => JSON.parse(text) as unknown,
};

export const mailEntity = new EntitySchema<MailRow>({
  name: 'mail',
  tableName: 'mails',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    template: { type: 'varchar', length: 40 },
    userId: { name: 'user_id', type: 'char', length: 36 },
    eventId: { name: 'event_id', type: 'char', length: 36 },
    data: { type: 'text', transformer: json },
    status: { type: 'enum', enum: ['pending', 'sending', 'sent', 'failed', 'skipped'] },
    uncertain: { type: 'boolean', default: false },
    attempts: { type: 'int', default: 0 },
    lastError: { name: 'last_error', type: 'varchar', length: 500, nullable: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    changedAt: { name: 'changed_at', type: 'datetime', precision: 3 },
    redactedAt: { name: 'redacted_at', type: 'datetime', precision: 3, nullable: true },
  },
});
