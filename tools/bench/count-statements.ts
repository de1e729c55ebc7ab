// Preloaded into a process: writes the trace and the text of each database statement, and the trace and the name of each Redis command, to the
// file STATEMENTS_FILE.
import { appendFileSync } from 'node:fs';
import { currentTrace } from '@shortlist/kit/process/trace';
import { Redis } from 'ioredis';
import mysql from 'mysql2';

const { STATEMENTS_FILE: file = '' } = process.env;
const record = (kind: 'sql' | 'redis', text: unknown): void =>
  appendFileSync(file, `${JSON.stringify([kind, currentTrace()?.traceId ?? null, text])}\n`);

type Query = (this: unknown, sql: unknown, ...more: unknown[]) => unknown;
const { prototype } = (mysql as unknown as { Connection: { prototype: { query: Query } } }).Connection;
const query: Query = prototype.query;
prototype.query = function counted(sql, ...more) {
  record('sql', sql);
  return query.call(this, sql, ...more);
};

type Send = (this: unknown, command: { name: string }, ...more: unknown[]) => unknown;
const redis = Redis.prototype as unknown as { sendCommand: Send };
const send: Send = redis.sendCommand;
redis.sendCommand = function counted(command, ...more) {
  record('redis', command.name);
  return send.call(this, command, ...more);
};
