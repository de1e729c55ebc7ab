import { randomUUID } from 'node:crypto';
import type { UserView } from '@shortlist/contracts/api/public';
import type { CreditsAmounts } from '@shortlist/contracts/api/public-plan';
import { PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { System } from '@shortlist/local/system';
import { type ApiResponse, callApi, newUser, signUp } from '../../tests/journeys/client.ts';
import { signedEvent } from './signed-event.ts';

export const STEPS = [
  'sign-up',
  'log-in',
  'profile',
  'open checkout',
  'checkout hint',
  'webhook',
  'credit',
] as const;
export type Step = (typeof STEPS)[number];

/** Hashes of a journey: the sign-up makes one, the log-in compares with it. */
export const HASHES = 2;
const CREDITS = 10;

/** Runs one step and records its time. Throws when the status is not the expected one. */
export type Timed = <Body>(
  step: Step,
  status: number,
  send: () => Promise<ApiResponse<Body>>,
) => Promise<Body>;

type Caller = { system: System; timed: Timed; token: string };

const requireEqual = (what: string, value: unknown, expected: unknown): void => {
  if (value !== expected) throw new Error(`${what} is ${String(value)}, not ${String(expected)}`);
};

/** Pays at the provider, which is not part of the product. Returns the checkout session and its customer. */
const pay = async (
  { sandboxUrl }: System,
  checkoutUrl: string,
): Promise<{ id: string; customer: string }> => {
  const id = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
  const path = `/_sandbox/checkout_sessions/${id}/pay`;
  const paid = await callApi<{ customer: string }>(`${sandboxUrl}${path}`, 'POST', { body: {} });
  requireEqual('the status of the payment', paid.status, 200);
  return { id, customer: paid.body.customer };
};

/** The page after the payment confirms it; the provider's webhooks arrive meanwhile, and here is one more. */
const subscribe = async ({ system, timed, token }: Caller, email: string): Promise<void> => {
  const { publicUrl, secrets } = system;
  const { url } = await timed<{ url: string }>('open checkout', 200, () =>
    callApi(`${publicUrl}/subscribe?email=${email}`, 'GET', { token }),
  );
  const { id, customer } = await pay(system, url);
  const { data } = await timed<{ data: UserView }>('checkout hint', 200, () =>
    callApi(`${publicUrl}/user-payment`, 'PUT', { token, body: { xsl: id } }),
  );
  requireEqual('the plan', data.plan, 'premium');
  const object = { id: `in_${randomUUID()}`, object: 'invoice', customer };
  const event = signedEvent(secrets.STRIPE_WEBHOOK_SECRET, { type: 'invoice.paid', object });
  await timed('webhook', 200, async () => {
    const { body, headers } = event;
    const response = await fetch(`${publicUrl}/api/webhooks/stripe`, { method: 'POST', headers, body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  });
};

const chargeCredits = async ({ system, timed, token }: Caller): Promise<void> => {
  let amounts: CreditsAmounts | null = null;
  for (let index = 0; index < CREDITS; index += 1)
    amounts = await timed<CreditsAmounts>('credit', 200, () =>
      callApi(`${system.publicUrl}/api/credits/spend`, 'POST', {
        token,
        headers: { 'idempotency-key': randomUUID() },
        body: { reason: 'email_found', reference: `linkedin.com/in/${randomUUID()}` },
      }),
    );
  requireEqual('what is left of the credits', amounts?.available, PREMIUM_CREDITS - CREDITS);
};

/** A user registers, logs in, reads the profile, pays, and is charged ten credits. */
export const travel = async (system: System, timed: Timed): Promise<void> => {
  const { publicUrl } = system;
  const user = newUser();
  await timed('sign-up', 201, () => signUp(system, user));
  const { email, password } = user;
  const { data } = await timed<{ data: { token: string } }>('log-in', 200, () =>
    callApi(`${publicUrl}/login`, 'POST', { body: { email, password } }),
  );
  const caller = { system, timed, token: data.token };
  const profile = await timed<{ user: UserView }>('profile', 200, () =>
    callApi(`${publicUrl}/authentication_check`, 'GET', { token: data.token }),
  );
  requireEqual('the address of the profile', profile.user.email, email);
  await subscribe(caller, email);
  await chargeCredits(caller);
};
