import { randomUUID } from 'node:crypto';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { CreditsAmounts } from '@shortlist/contracts/api/credits';
import { PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import { type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { type ApiResponse, callApi, chargeCredit, newUser, signUp } from '../../harness/client.ts';
import { hashing } from './accounts.ts';
import { atConstantRate, measureInTurns, percentile, type Print, rateOf } from './measure.ts';
import { withSystem } from './surroundings.ts';
import { signedEvent } from './webhook.ts';

const LIMIT_MS = 500;
const SECONDS = Number(process.env['SECONDS'] ?? 15);
const FIRST_RATE = 1;
const FACTOR = 1.25;
const TRIES = 2;
/** Hashes of a journey: the sign-up makes one, the log-in compares with it. */
const HASHES = 2;
const CREDITS = 10;

/** Runs one step and records its time. Throws when the status is not the expected one. */
type Timed = <Body>(step: string, status: number, send: () => Promise<ApiResponse<Body>>) => Promise<Body>;
type Stage = { times: Map<string, number[]>; failures: string[] };

const requireEqual = (what: string, value: unknown, expected: unknown): void => {
  if (value !== expected) throw new Error(`${what} is ${String(value)}, not ${String(expected)}`);
};

/** Pays at the provider, which is not part of the product. Returns the checkout session and its customer. */
const pay = async (
  { sandboxUrl }: System,
  checkoutUrl: string,
): Promise<{ id: string; customer: string }> => {
  const id = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
  const url = `${sandboxUrl}/_sandbox/checkout_sessions/${id}/pay`;
  const paid = await callApi<{ customer: string }>(url, 'POST', { body: {} });
  requireEqual('the status of the payment', paid.status, 200);
  return { id, customer: paid.body.customer };
};

/** Returns the token of the new user. */
const travelToProfile = async (
  system: System,
  timed: Timed,
  user: ReturnType<typeof newUser>,
): Promise<string> => {
  const { publicUrl } = system;
  const { email, password } = user;
  await timed('sign-up', 201, () => signUp(system, user));
  const { data } = await timed<{ data: { token: string } }>('log-in', 200, () =>
    callApi(`${publicUrl}/login`, 'POST', { body: { email, password } }),
  );
  const { token } = data;
  const profile = await timed<{ user: UserView }>('profile', 200, () =>
    callApi(`${publicUrl}/authentication_check`, 'GET', { token }),
  );
  requireEqual('the address of the profile', profile.user.email, email);
  return token;
};

type Buyer = { email: string; token: string };

const travelToPremium = async (system: System, timed: Timed, { email, token }: Buyer): Promise<void> => {
  const { publicUrl, secrets } = system;
  const checkout = await timed<{ url: string }>('open checkout', 200, () =>
    callApi(`${publicUrl}/subscribe?email=${email}`, 'GET', { token }),
  );
  const { id, customer } = await pay(system, checkout.url);
  // The page after the payment confirms it; the provider's webhooks arrive meanwhile, and here is one more.
  const confirmed = await timed<{ data: UserView }>('checkout hint', 200, () =>
    callApi(`${publicUrl}/user-payment`, 'PUT', { token, body: { xsl: id } }),
  );
  requireEqual('the plan', confirmed.data.plan, 'premium');
  const object = { id: `in_${randomUUID()}`, object: 'invoice', customer };
  const event = signedEvent(secrets.STRIPE_WEBHOOK_SECRET, { type: 'invoice.paid', object });
  await timed('webhook', 200, async () => {
    const { status, headers } = await fetch(`${publicUrl}/api/webhooks/stripe`, { method: 'POST', ...event });
    return { status, headers, body: {} };
  });
};

/** A user registers, logs in, reads the profile, pays, and is charged ten credits. */
const travel = async (system: System, timed: Timed): Promise<void> => {
  const user = newUser();
  const token = await travelToProfile(system, timed, user);
  await travelToPremium(system, timed, { email: user.email, token });
  let amounts: CreditsAmounts | null = null;
  for (let index = 0; index < CREDITS; index += 1)
    amounts = await timed('credit', 200, () =>
      chargeCredit(system, { token }, { operationId: randomUUID() }),
    );
  requireEqual('what is left of the credits', amounts?.available, PREMIUM_CREDITS - CREDITS);
};

const runStage = async (system: System, perSecond: number): Promise<Stage> => {
  const times = new Map<string, number[]>();
  const failures: string[] = [];
  const timed: Timed = async (step, status, send) => {
    const startedAt = performance.now();
    const response = await send();
    times.set(step, [...(times.get(step) ?? []), performance.now() - startedAt]);
    if (response.status !== status)
      throw new Error(`${step}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  await atConstantRate({ perSecond, seconds: SECONDS }, () =>
    travel(system, timed).catch((error: unknown) => void failures.push(String(error))),
  );
  return { times, failures };
};

/** Whether every step is fast enough at this rate. A second try, since other work of the machine can spoil the first. */
const sustains = async (system: System, rate: number, print: Print): Promise<boolean> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { times, failures } = await runStage(system, rate);
    const p99 = [...times].map(([step, values]) => [step, percentile(values, 0.99)] as const);
    const steps = p99.map(([step, ms]) => `${step} ${ms.toFixed(0)}`).join(', ');
    const failed = failures.length === 0 ? '' : `; ${failures.length} failed, the first: ${failures[0]}`;
    print(`P16 ${rate.toFixed(1)}/s, p99 in ms: ${steps}${failed}`);
    if (failures.length === 0 && p99.every(([, ms]) => ms < LIMIT_MS)) return true;
  }
  return false;
};

/**
 * P16 Raises a constant rate of journeys against the whole product until the p99 of a step reaches 500 ms, and compares the highest
 * rate with what the hash library alone allows. Without the code that is mailed to a new user.
 */
export const benchJourney = (print: Print): Promise<void> =>
  withSystem({ bff: { ...WITHOUT_LIMITS, REQUIRE_VERIFIED_EMAIL: 'nothing' } }, async (system) => {
    const [hashes] = await measureInTurns([hashing()], { rounds: 3, seconds: 3 });
    const budget = hashes === undefined ? Number.NaN : rateOf(hashes) / HASHES;
    await runStage(system, FIRST_RATE); // warm-up
    let highest = 0;
    for (let rate = FIRST_RATE; await sustains(system, rate, print); rate *= FACTOR) highest = rate;
    print(`P16 highest rate ${highest.toFixed(1)} journeys/s`);
    print(
      `    the hash library alone ${budget.toFixed(1)} journeys/s; ratio ${(highest / budget).toFixed(2)}`,
    );
  });
