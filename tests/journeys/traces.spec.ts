import { openCollector, type CollectedSpan, type Collector } from '@shortlist/kit/testing/collector';
import { startSystem, type System } from '@shortlist/local/system';
import { expect, test as base } from '@playwright/test';
import { callApi, newUser, payAtProvider, register } from '../../harness/client.ts';
import { fillNewUser } from './new-user-form.ts';

const NAMES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;

type Traced = { system: System; collector: Collector };

/** A system of which every trace is recorded. */
const test = base.extend<object, { traced: Traced }>({
  traced: [
    async ({}, use) => {
      const collector = await openCollector();
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' };
      const system = await startSystem({ env: Object.fromEntries(NAMES.map((name) => [name, settings])) });
      await use({ system, collector });
      await system.stop();
      collector.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ traced }, use) => use(traced.system.publicUrl),
});

/** A span and its ancestors, as `process: name`. */
const pathOf = (spans: readonly CollectedSpan[], span: CollectedSpan | undefined): string[] =>
  span === undefined
    ? []
    : [
        `${span.service}: ${span.name}`,
        ...pathOf(
          spans,
          spans.find(({ spanId }) => spanId === span.parentSpanId),
        ),
      ];

/** The path from a mail of the trace to its first span, once both are exported. */
const mailPath = ({ spans }: Collector, traceId: string, first: string): string[] => {
  const ofTrace = spans.filter((span) => span.traceId === traceId);
  const paths = ofTrace
    .filter(({ name }) => name === 'send mail')
    .map((mail) => pathOf(ofTrace, mail).toReversed());
  return paths.find(([name]) => name === first) ?? [];
};

test('K5 a sign-up is one trace from the browser to the mail, and no span contains personal data', async ({
  page,
  traced: { system, collector },
}) => {
  const user = newUser({ firstName: 'Ingeborg', lastName: 'Solbakken' });
  await page.goto('/register');
  await fillNewUser(page, user);
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/signup'));
  await page.getByRole('button', { name: 'Sign Up' }).click();
  const traceparent = (await (await sent).headerValue('traceparent')) ?? '';
  const [, traceId = '', spanId = ''] = traceparent.split('-');

  await expect
    .poll(() => mailPath(collector, traceId, 'bff: POST /signup'), { timeout: 60_000 })
    .toEqual([
      'bff: POST /signup',
      'bff: POST /accounts',
      'identity: POST /accounts',
      'identity: transaction',
      'identity: publish identity.UserRegistered.v1',
      'worker: handle identity.UserRegistered.v1',
      'worker: transaction',
      'worker: send mail',
    ]);
  const request = collector.spans.find((span) => span.parentSpanId === spanId);
  expect(request).toMatchObject({ service: 'bff', name: 'POST /signup', failure: null });

  const { token } = await register(system);
  const exported = collector.bodies.join('\n');
  const values = [user.email, user.password, user.firstName, user.lastName, user.organizationName, token];
  expect(values.filter((value) => exported.includes(value))).toEqual([]);
  const secrets = Object.values(system.secrets);
  expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
});

test('K5 a payment is one trace with the calls to the provider, in which ids are hidden', async ({
  traced: { system, collector },
}) => {
  const user = await register(system);
  // Without webhooks, the request itself has to read the payment at the provider.
  await callApi(`${system.sandboxUrl}/_sandbox/webhooks`, 'PUT', { body: { drop: true } });
  const sessionId = await payAtProvider(system, user);
  const traceId = 'a1'.repeat(16);
  const paid = await callApi(`${system.publicUrl}/user-payment`, 'PUT', {
    token: user.token,
    headers: { traceparent: `00-${traceId}-${'b2'.repeat(8)}-00` },
    body: { xsl: sessionId },
  });
  expect(paid.headers.get('x-request-id')).toBe(traceId);
  const names = (): string[] =>
    collector.spans
      .filter((span) => span.traceId === traceId)
      .map(({ service, name }) => `${service}: ${name}`);
  // Processes export their spans at different times.
  await expect
    .poll(names, { timeout: 60_000 })
    .toEqual(
      expect.arrayContaining([
        'bff: POST /subscriptions/:userId/confirm',
        'billing: stripe GET /v1/subscriptions',
        'billing: stripe GET /v1/prices/:id',
      ]),
    );
  expect(collector.bodies.join('\n')).not.toMatch(/\/(cus|sub|in|cs|ch|pi)_/);
});
