import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { databaseUrl } from '@shortlist/local/system/databases';
import type { Installation } from '@shortlist/local/system';
import { type Addresses, callApi, type UserSession } from './client.ts';

const run = promisify(execFile);
const OPERATOR = join(import.meta.dirname, '../services/identity/src/operator.ts');

/** Runs the operator program of identity. Returns what it prints. */
export const runIdentityOperator = async (
  { backing, secrets }: Pick<Installation, 'backing' | 'secrets'>,
  ...args: string[]
): Promise<string> => {
  const DATABASE_URL = databaseUrl(backing.databaseAdminUrl, secrets, 'identity');
  const { stdout } = await run(process.execPath, [OPERATOR, ...args], {
    env: { ...process.env, DATABASE_URL },
  });
  return stdout.trim();
};

/** Registers an app that may ask for everything. Returns its client id. */
export const registerTool = (
  system: Pick<Installation, 'backing' | 'secrets'>,
  { name = 'Automation bot', redirects = '' }: { name?: string; redirects?: string } = {},
): Promise<string> => {
  const options = [
    '--scopes',
    SCOPES.join(','),
    '--verified',
    ...(redirects ? ['--redirects', redirects] : []),
  ];
  return runIdentityOperator(system, 'tool', 'register', name, ...options);
};

type Fields = Record<string, string>;

/** Posts a form to an address of OAuth. */
export const postForm = async (
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  path: string,
  fields: Fields,
): Promise<{ status: number; body: Fields }> => {
  const response = await fetch(`${publicUrl}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Fields };
};

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Connects an app by the device grant, for a user who has just logged in. */
export const connectTool = async (
  system: Pick<Addresses, 'publicUrl'>,
  { token }: Pick<UserSession, 'token'>,
  { clientId, device }: { clientId: string; device?: string },
): Promise<{ access: string; refresh: string }> => {
  const asking = { client_id: clientId, scope: SCOPES.join(' '), ...(device && { device_name: device }) };
  const { body: code } = await postForm(system, '/oauth/device', asking);
  const body = { source: 'device', request: code['user_code'] };
  const approved = await callApi(`${system.publicUrl}/api/connections/approve`, 'POST', { token, body });
  if (approved.status !== 200) throw new Error(`not approved: ${JSON.stringify(approved.body)}`);
  const fields = { client_id: clientId, grant_type: DEVICE_GRANT, device_code: code['device_code'] ?? '' };
  const { body: tokens } = await postForm(system, '/oauth/token', fields);
  return { access: tokens['access_token'] ?? '', refresh: tokens['refresh_token'] ?? '' };
};
