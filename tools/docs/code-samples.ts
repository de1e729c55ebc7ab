import { v1Endpoints } from '@shortlist/contracts/api/v1';

type Name = keyof typeof v1Endpoints;
type Sample = { query?: string; body?: object; typescript: string };

const CHARGE = { amount: 1, reason: 'email_found', reference: 'ada@engines.example' };

/** By the client library `@shortlist/client`, and by curl. */
const SAMPLES: Record<Name, Sample> = {
  me: { typescript: 'const me = await shortlist.me();' },
  entitlements: { typescript: 'const { plan, credits } = await shortlist.entitlements();' },
  charge: {
    body: CHARGE,
    typescript: `await shortlist.charge({ amount: 1, reason: 'email_found', reference: 'ada@engines.example' });`,
  },
  listCharges: {
    query: '?limit=20&reason=email_found',
    typescript: `for await (const entry of shortlist.charges({ reason: 'email_found' })) console.log(entry);`,
  },
  reserve: {
    body: { ...CHARGE, amount: 5, holdSeconds: 60 },
    typescript: `const { id } = await shortlist.reserve({ amount: 5, reason: 'email_found', holdSeconds: 60 });`,
  },
  commit: {
    body: { amount: 3 },
    typescript: `const { id } = await shortlist.reserve({ amount: 5, reason: 'email_found' });
await shortlist.commit(id, { amount: 3 });`,
  },
  release: {
    typescript: `const { id } = await shortlist.reserve({ amount: 5, reason: 'email_found' });
await shortlist.release(id);`,
  },
  usage: {
    query: '?from=2026-11-01&to=2026-11-30',
    typescript: `const days = await shortlist.usage({ from: '2026-11-01', to: '2026-11-30' });`,
  },
};

const ID = '0d8f2c1e-5a41-4f0c-9b86-2f6f1c9b7a10';

const curlOf = (name: Name): string => {
  const { method, path, isRepeatable } = v1Endpoints[name];
  const { query = '', body } = SAMPLES[name];
  const lines = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $SHORTLIST_KEY"',
    ...(isRepeatable ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(method === 'GET'
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body ?? {})}'`]),
  ];
  return [`curl "$SHORTLIST_URL${path.replace(/:[a-zA-Z]+/, ID)}${query}"`, ...lines].join(' \\\n  ');
};

/** How every sample in TypeScript begins. */
export const SAMPLE_START = `import { createClient } from '@shortlist/client';

const shortlist = createClient({ url: process.env.SHORTLIST_URL, key: process.env.SHORTLIST_KEY });
`;

/** How a call is written, for the reference. */
export const codeSamples = (name: Name): { lang: string; label: string; source: string }[] => [
  { lang: 'curl', label: 'curl', source: curlOf(name) },
  { lang: 'typescript', label: 'TypeScript', source: `${SAMPLE_START}${SAMPLES[name].typescript}` },
];
