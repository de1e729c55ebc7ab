import type { IncomingMessage } from 'node:http';
import type { AccountFactors } from '@shortlist/contracts/api/factors';
import { type ErrorCode, ERRORS } from '@shortlist/contracts/errors';
import { uuidv7 } from 'uuidv7';
import { type Bff, NO_FACTORS, OWNER, respondWith } from './support.ts';

export const RIGHT_CODE = '123456';
export const WRONG_CODE = '654321';
export const RECOVERY_CODE = '2345678abc';
export const PASSWORD = 'open sesame';

type Login = {
  data?: { ticket?: string; token?: string; methods?: string[] };
  credentials?: { token: string };
};
export type Answer = {
  status: number;
  headers: IncomingMessage['headers'];
  body: Login & { message?: string; error?: { code: string; fields?: Record<string, string> } };
};
type Proof = { code?: string; recoveryCode?: string; password?: string; passkey?: unknown };

const codeOfProof = ({ code, recoveryCode, password, passkey }: Proof): ErrorCode | null => {
  if (code !== undefined) return code === RIGHT_CODE ? null : 'identity.code_wrong';
  if (recoveryCode !== undefined)
    return recoveryCode === RECOVERY_CODE ? null : 'identity.recovery_code_wrong';
  if (password !== undefined) return password === PASSWORD ? null : 'identity.current_password_wrong';
  return passkey === undefined ? 'identity.code_wrong' : null;
};

/** The services as bff sees them, for one account with these factors, and a client that logs in to it. */
export const createFakeIdentity = (bff: Bff) => {
  const account = {
    id: uuidv7(),
    email: `${uuidv7()}@people.test`,
    role: 'user' as 'user' | 'admin',
    factors: { ...NO_FACTORS },
  };
  const reply = (path: string, body: Buffer): { status: number; body: unknown } => {
    const { id, email, role, factors } = account;
    const data = { id, email, role, generation: 0, createdAt: '', admin: role === 'admin' ? OWNER : null };
    if (path === '/credentials/verify') return { status: 200, body: { data, factors } };
    if (path === '/credentials/passkey') return { status: 200, body: { data: { ...data, factors } } };
    if (path.endsWith('/credentials')) return { status: 200, body: { data: { factors, credentials: [] } } };
    if (path.endsWith('/end-sessions')) return { status: 200, body: { generation: 1 } };
    if (!path.endsWith('/prove'))
      return { status: 200, body: { data, generation: 1, planState: { version: 1 } } };
    const code = codeOfProof((JSON.parse(body.toString()) as { proof: Proof }).proof);
    if (code === null) return { status: 200, body: { data: { ...data, factors } } };
    return { status: ERRORS[code][0], body: { error: { code, message: 'x' } } };
  };
  bff.upstream.respond = (request, response, body) => {
    const { status, body: json } = reply((request.url ?? '').split('?')[0] ?? '', body);
    respondWith(() => json, status)(request, response, body);
  };
  const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await bff.call(`POST ${path}`, { headers, body });
    return { status: response.status, headers: response.headers, body: response.json as Answer['body'] };
  };
  return {
    account,
    setFactors: (change: Partial<AccountFactors>) => void Object.assign(account.factors, change),
    post,
    logIn: (headers: Record<string, string> = {}): Promise<Answer> =>
      post(
        account.role === 'admin' ? '/super-admin-authentication' : '/login',
        { email: account.email, password: PASSWORD },
        headers,
      ),
    secondStep: (ticket: string, proof: object, headers: Record<string, string> = {}): Promise<Answer> =>
      post('/api/login/second-factor', { ticket, ...proof }, headers),
  };
};

/** The response of a browser to a passkey prompt with this challenge; the fake identity accepts any. */
export const passkeyAnswer = (challenge: unknown) => ({
  id: 'credential',
  rawId: 'credential',
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON: Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge })).toString('base64url'),
    authenticatorData: 'AA',
    signature: 'AA',
  },
});
