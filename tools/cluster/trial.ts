// The chart with its trial dependencies, as docs/kubernetes.md has a newcomer install it, in a namespace of its own that is deleted again.
import { until } from '@shortlist/kit/testing/until';
import { mailSubjects, payAtProvider, readUser, register } from '../../tests/journeys/client.ts';
import { type Target, testRelease, upgradeChart } from './install.ts';
import { deleteNamespace, kubectlIn, RELEASE, startForwards } from './kubernetes.ts';
import type { Scenario } from './scenarios.ts';

const NAMESPACE = 'shortlist-trial';
/** Webhooks need a moment, and reconciliation, which hides lost ones, tens of seconds. */
const WEBHOOK_LIMIT_MS = 10_000;
const ADDRESSES = { publicUrl: 'http://localhost:15000', sandboxUrl: 'http://localhost:15010' };
const FORWARDS = [
  { name: 'shortlist-bff', port: 15_000, to: 5000 },
  { name: 'shortlist-trial-sandbox', port: 15_010, to: 5010 },
];

const kubectl = kubectlIn(NAMESPACE);

const upgrade = ({ prefix, tag }: Target): Promise<void> => {
  const { publicUrl, sandboxUrl } = ADDRESSES;
  const values = [
    ...[`image.prefix=${prefix}`, `image.tag=${tag}`, 'trial.enabled=true', 'audit.enabled=true'],
    ...[`settings.PUBLIC_URL=${publicUrl}`, `trial.sandboxUrl=${sandboxUrl}`],
  ];
  return upgradeChart({ namespace: NAMESPACE, values });
};

/** Signs up, reads the mail and pays. Returns how long the payment needed to make the user Premium. */
const subscribe = async (): Promise<number> => {
  await until('the page', async () => (await fetch(ADDRESSES.publicUrl).catch(() => null))?.ok === true);
  const user = await register(ADDRESSES);
  await payAtProvider(ADDRESSES, user);
  const paidAt = performance.now();
  const isPremium = async (): Promise<boolean> => (await readUser(ADDRESSES, user)).plan === 'premium';
  await until('Premium by webhook', isPremium, WEBHOOK_LIMIT_MS);
  const ms = performance.now() - paidAt;
  await until('the welcome mail', async () =>
    (await mailSubjects(ADDRESSES, user.email)).includes('Welcome to Shortlist'),
  );
  return ms;
};

const readGeneratedSecrets = (): Promise<string> =>
  kubectl(['get', 'secret', `${RELEASE}-trial`, '-o', 'jsonpath={.data}']);

const tryOut = async (target: Target): Promise<string> => {
  const startedAt = performance.now();
  await upgrade(target);
  const readyMs = performance.now() - startedAt;
  const stop = startForwards(NAMESPACE, FORWARDS);
  try {
    const premiumMs = await subscribe();
    const secrets = await readGeneratedSecrets();
    await upgrade(target);
    if ((await readGeneratedSecrets()) !== secrets) throw new Error('an upgrade replaced the secrets');
    await testRelease(NAMESPACE);
    await kubectl(['create', 'job', 'audit-now', `--from=cronjob/${RELEASE}-audit`]);
    await kubectl(['wait', '--for=condition=complete', 'job/audit-now', '--timeout=100s']);
    return `ready after ${(readyMs / 1000).toFixed(0)} s, Premium ${(premiumMs / 1000).toFixed(1)} s after the payment, the secrets outlast an upgrade, every invariant held`;
  } finally {
    await stop();
  }
};

/** Runs before the backing services of the other scenarios: a small cluster has no room for both. */
export const TRIAL: Scenario = {
  name: 'trial with its own databases, Redis, Kafka and payments',
  run: async ({ target }) => {
    await deleteNamespace(NAMESPACE);
    try {
      return await tryOut(target);
    } catch (error) {
      const pods = await kubectl(['get', 'pods']).catch(String);
      throw new Error(`${String(error)}\n${pods}`, { cause: error });
    } finally {
      await deleteNamespace(NAMESPACE);
    }
  },
};
