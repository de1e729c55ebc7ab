// Preloaded into a process: writes the trace and the text of each database statement to the file STATEMENTS_FILE.
import { appendFileSync } from 'node:fs';
import { currentTrace } from '@shortlist/kit/process/trace';
import mysql from 'mysql2';

const { STATEMENTS_FILE: file = '' } = process.env;
type Query = (this: unknown, sql: unknown, ...more: unknown[]) => unknown;
const { prototype } = (mysql as unknown as { Connection: { prototype: { query: Query } } }).Connection;
const query: Query = prototype.query;

prototype.query = function counted(sql, ...more) {
  appendFileSync(file, `${JSON.stringify([currentTrace()?.traceId ?? null, sql])}\n`);
  return query.call(this, sql, ...more);
};
