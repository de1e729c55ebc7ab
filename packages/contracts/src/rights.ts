// What a request stands on. identity ends a right by publishing its id with a version: rights of lower versions have ended.
import type { Right } from './api/endpoint.ts';

/** The sessions of an account, by the generation in which they began. */
export const accountRight = (accountId: string, generation: number): Right => ({
  id: `account:${accountId}`,
  version: generation,
});

/** What an admin may do, by the version of the admin's access. */
export const adminRight = (adminId: string, version: number): Right => ({ id: `admin:${adminId}`, version });

/** A tool, by the generation in which it was connected. */
export const toolRight = (toolId: string, generation: number): Right => ({
  id: `tool:${toolId}`,
  version: generation,
});

/** What ends once and for all. */
type Ending = 'session' | 'key' | 'connection';

export const rightTo = (kind: Ending, id: string): Right => ({ id: `${kind}:${id}`, version: 0 });

/** The version below which such a right has ended. */
export const endOf = (kind: Ending, id: string): Right => ({ ...rightTo(kind, id), version: 1 });
