import { randomBytes } from 'node:crypto';
import type { UserView } from '@shortlist/contracts/api/public';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import type { System } from '@shortlist/local/system';

export type Answer<Body = Record<string, unknown>> = { status: number; body: Body; headers: Headers };
type Ask = { token?: string; body?: unknown; headers?: Record<string, string> };

/** Asks a door as a plain client would, without cookies. */
export const ask = async <Body = Record<string, unknown>>(
  url: string,
  method: string,
  { token, body, headers }: Ask = {},
): Promise<Answer<Body>> => {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Body,
    headers: response.headers,
  };
};

export const newPerson = (change: Partial<SignupInput> = {}): SignupInput => ({
  email: `person-${randomBytes(6).toString('hex')}@talentfield.io`,
  password: 'a long enough one',
  firstName: 'Amara',
  lastName: 'Okafor',
  organizationName: 'Talent Field',
  typeOfOrganization: 'Talent Acquisition',
  primaryRecruitingIndustry: 'Software',
  country: 'Nigeria',
  city: 'Lagos',
  linkedin: '',
  ...change,
});

export const signUp = (system: System, person: SignupInput): Promise<Answer<{ data: { id: string } }>> => {
  const body = new FormData();
  body.set('userData', JSON.stringify(person));
  return ask(`${system.publicUrl}/signup`, 'POST', { body });
};

export type LoggedIn = { id: string; token: string; email: string };

export const logIn = async (system: System, { email, password }: SignupInput): Promise<LoggedIn> => {
  const { body } = await ask<{ data: { token: string; user: UserView } }>(
    `${system.publicUrl}/login`,
    'POST',
    {
      body: { email, password },
    },
  );
  return { id: body.data.user.id, token: body.data.token, email };
};

/** A person with an account and a session. */
export const register = async (system: System, change: Partial<SignupInput> = {}): Promise<LoggedIn> => {
  const person = newPerson(change);
  const { status } = await signUp(system, person);
  if (status !== 201) throw new Error(`sign-up answered ${status}`);
  return logIn(system, person);
};

export const logInAdmin = async ({ publicUrl, admin }: System): Promise<string> => {
  const { body } = await ask<{ credentials: { token: string } }>(
    `${publicUrl}/super-admin-authentication`,
    'POST',
    { body: admin },
  );
  return body.credentials.token;
};

/** Opens a checkout and pays it at the provider. Answers the checkout session's id; nothing has told us of it yet. */
export const payAtProvider = async (
  system: System,
  person: LoggedIn,
  card = '4242424242424242',
): Promise<string> => {
  const { body } = await ask<{ url: string }>(`${system.publicUrl}/subscribe?email=${person.email}`, 'GET', {
    token: person.token,
  });
  const sessionId = new URL(body.url).pathname.split('/').at(-1) ?? '';
  const paid = await ask(`${system.sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', {
    body: { card },
  });
  if (paid.status !== 200) throw new Error(`the provider answered ${paid.status}`);
  return sessionId;
};

export const readUser = async (system: System, { token }: LoggedIn): Promise<UserView> => {
  const { body } = await ask<{ user: UserView }>(`${system.publicUrl}/authentication_check`, 'GET', {
    token,
  });
  return body.user;
};

export const setWebhooks = (system: System, behaviour: Record<string, unknown>): Promise<Answer> =>
  ask(`${system.sandboxUrl}/_sandbox/webhooks`, 'PUT', { body: behaviour });

/** The subjects of all mails that the provider took for an address, sorted, so that a doubled one shows. */
export const mailSubjects = async (system: System, email: string): Promise<string[]> => {
  const { body } = await ask<{ data: { to: unknown; subject: string }[] }>(
    `${system.sandboxUrl}/_sandbox/mails`,
    'GET',
  );
  return body.data
    .filter(({ to }) => JSON.stringify(to).includes(email))
    .map(({ subject }) => subject)
    .sort();
};
