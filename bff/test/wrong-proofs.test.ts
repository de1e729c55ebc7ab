import { SECOND_STEP_TRIES } from '@shortlist/contracts/limits';
import { beforeEach, describe, expect, it } from 'vitest';
import { failuresKey } from '../src/limits/login-limits.ts';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import {
  type Answer,
  createFakeIdentity,
  PASSWORD,
  passkeyAnswer,
  RECOVERY_CODE,
  RIGHT_CODE,
  WRONG_CODE,
} from './fake-identity.ts';
import { bearer } from './requests.ts';
import { useBff } from './support.ts';

const WRONG_RECOVERY_CODE = 'cba8765432';
const HOME = { 'x-forwarded-for': '198.51.100.7' };
const PER_HOUR = 10;
const PER_DAY = 30;

const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' });

let fake: ReturnType<typeof createFakeIdentity>;
let network = 0;
beforeEach(() => {
  fake = createFakeIdentity(bff);
  fake.setFactors({ totp: true, recoveryCodes: 10, passkeys: 1 });
});

/** A network of an outsider, another one each time. */
const elsewhere = () => ({ 'x-forwarded-for': `203.0.${(network += 1) % 250}.9` });
/** Log-ins without a second step slow unknown clients down, which is another limit. */
const ticketOf = async (headers: Record<string, string>): Promise<string> => {
  await bff.redis.del(failuresKey(fake.account.email));
  return (await fake.logIn(headers)).body.data?.ticket ?? '';
};
const passkeyFor = async (ticket: string, headers: Record<string, string>) => {
  const { body } = await fake.post('/api/login/second-factor/passkey', { ticket }, headers);
  return passkeyAnswer((body.data as { challenge?: string } | undefined)?.challenge);
};
/** Takes both steps of a log-in. */
const logIn = async (proof: object, headers: Record<string, string>): Promise<Answer> =>
  fake.secondStep(await ticketOf(headers), proof, headers);
const comparisons = (): number => bff.upstream.requestsTo('/prove').length;

/** An outsider who knows the password tries wrong proofs, from a new network each time. */
const attack = async (
  proof: object,
  { tries, headersOf = elsewhere }: { tries: number; headersOf?: () => Record<string, string> },
): Promise<void> => {
  for (let count = 0; count < tries; count += SECOND_STEP_TRIES) {
    const ticket = await ticketOf(headersOf());
    for (let tried = 0; tried < SECOND_STEP_TRIES; tried += 1)
      await fake.secondStep(ticket, proof, headersOf());
  }
};

/** The cookies of a browser that has logged in to the account. */
const knownBrowser = async (): Promise<Jar> => {
  const jar: Jar = new Map();
  const ticket = await ticketOf(HOME);
  const answer = await fake.secondStep(ticket, { code: RIGHT_CODE, remember: true }, fromPage(jar, HOME));
  store(jar, answer);
  return jar;
};
const startSession = async () => bearer(await bff.begin('user', fake.account.id));
const stepUp = async (proof: object, session: Record<string, string>): Promise<number> =>
  (await fake.post('/api/session/reauthenticate', proof, session)).status;

describe('ten wrong codes of an outsider who knows the password', () => {
  it('stop further codes of unknown clients, whatever their network', async () => {
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect((await logIn({ code: RIGHT_CODE }, elsewhere())).status).toBe(429);
  });

  it('stop neither the passkey nor a recovery code of the user, on a new device', async () => {
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect((await logIn({ recoveryCode: RECOVERY_CODE }, HOME)).status).toBe(200);
    const ticket = await ticketOf(HOME);
    const passkey = await passkeyFor(ticket, HOME);
    expect((await fake.secondStep(ticket, { passkey }, HOME)).status).toBe(200);
  });

  it('stop no code on a browser that has logged in before, and no trusted device', async () => {
    const jar = await knownBrowser();
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect((await fake.logIn(fromPage(jar, HOME))).body.message, 'trusted').toBe('login');
    jar.delete('trusted');
    expect((await logIn({ code: RIGHT_CODE }, fromPage(jar, HOME))).status).toBe(200);
  });

  it('stop no step-up of a session', async () => {
    const session = await startSession();
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect(await stepUp({ code: RIGHT_CODE }, session)).toBe(200);
  });

  it('are thirty a day at most, however often the hour passes', async () => {
    for (let hour = 0; hour < 5; hour += 1) {
      await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
      await bff.redis.del(`limit:proof:code:${fake.account.id}`);
    }
    expect(comparisons()).toBe(PER_DAY);
    const session = await startSession();
    expect(await stepUp({ code: RIGHT_CODE }, session), 'and stop no session by then').toBe(200);
  });
});

describe('wrong proofs that no one can guess', () => {
  it('stop recovery codes from that network alone', async () => {
    const there = elsewhere();
    await attack({ recoveryCode: WRONG_RECOVERY_CODE }, { tries: PER_HOUR, headersOf: () => there });
    expect((await logIn({ recoveryCode: RECOVERY_CODE }, there)).status).toBe(429);
    expect((await logIn({ recoveryCode: RECOVERY_CODE }, HOME)).status).toBe(200);
  });

  it('stop passkeys from that network alone', async () => {
    const there = elsewhere();
    await attack({ passkey: passkeyAnswer('x'.repeat(43)) }, { tries: PER_HOUR, headersOf: () => there });
    const ticket = await ticketOf(there);
    const refused = await fake.secondStep(ticket, { passkey: await passkeyFor(ticket, there) }, there);
    expect(refused.status).toBe(429);
    const other = await ticketOf(HOME);
    const passed = await fake.secondStep(other, { passkey: await passkeyFor(other, HOME) }, HOME);
    expect(passed.status).toBe(200);
  });
});

describe('a client that the account knows', () => {
  it('has ten wrong codes an hour of its own, which stop no other one', async () => {
    const [one, other] = [await startSession(), await startSession()];
    const jar = await knownBrowser();
    jar.delete('trusted');
    for (let round = 0; round < PER_HOUR; round += 1)
      expect(await stepUp({ code: WRONG_CODE }, one)).toBe(400);
    expect(await stepUp({ code: RIGHT_CODE }, one)).toBe(429);
    expect(await stepUp({ code: RIGHT_CODE }, other)).toBe(200);
    expect((await logIn({ code: RIGHT_CODE }, fromPage(jar, HOME))).status).toBe(200);
    expect((await logIn({ code: RIGHT_CODE }, HOME)).status).toBe(200);
  });

  it.each([
    ['codes', { totp: true }, { code: WRONG_CODE }],
    ['passwords', { totp: false }, { password: 'another one' }],
  ])(
    'compares thirty wrong %s a day over all sessions, however many begin',
    async (_name, factors, proof) => {
      fake.setFactors(factors);
      for (let session = 0; session < 5; session += 1) {
        const headers = await startSession();
        await Promise.all(Array.from({ length: PER_HOUR }, () => stepUp(proof, headers)));
      }
      expect(comparisons()).toBe(PER_DAY);
    },
  );

  it('is not stopped by right proofs', async () => {
    fake.setFactors({ totp: false });
    const session = await startSession();
    for (let round = 0; round < PER_DAY + 5; round += 1)
      expect(await stepUp({ password: PASSWORD }, session)).toBe(200);
  });
});
