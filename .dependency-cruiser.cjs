// Which file may know which. Each rule is proved by a planted violation in tests/checks/directions.test.ts.
const SERVER = '^(services/[^/]+|bff)/src/';
const TEST = '(^|/)tests?/|^tools/|[.](test|spec)[.]tsx?$|^services/kit/src/testing/';
/** Workspaces that services import; the others are processes. */
const LIBRARY = '(?:contracts|kit|audit)/';
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

// Each: a name, why, and what may not reach what.
const betweenWorkspaces = [
  [
    'contracts-import-joi-alone',
    'contracts run in the browser and in every process',
    { path: '^services/contracts/src/', pathNot: TEST },
    { pathNot: `^services/contracts/src/|${npm('joi')}` },
  ],
  [
    'kit-stands-below',
    'kit knows contracts and packages, nothing that stands on it',
    { path: '^services/kit/src/' },
    { path: '^(services/(?!kit/|contracts/)|bff/|web/|deploy/|tests/|tools/)' },
  ],
  [
    'kit-knows-no-product-word',
    'of contracts, kit takes the forms: doors, errors, the audit log, how facts are declared and held against a schema',
    { path: '^services/kit/src/' },
    {
      path: '^services/contracts/src/',
      pathNot: '^services/contracts/src/(errors|api/endpoint|events/define|schemas/validate)[.]ts$',
    },
  ],
  [
    'services-stand-alone',
    'services speak by HTTP and facts; none imports another, bff, web, or what starts them',
    { path: `^services/(?!${LIBRARY})([^/]+)/src/`, pathNot: TEST },
    { path: `^(services/(?!${LIBRARY}|$1/)|bff/|web/|deploy/|tests/|tools/)` },
  ],
  [
    'bff-calls-by-http',
    'bff imports contracts and kit alone',
    { path: '^bff/src/', pathNot: TEST },
    { path: '^(services/(?!contracts/|kit/)|web/|deploy/|tests/)' },
  ],
  [
    'web-knows-contracts-alone',
    'the browser reaches everything else by HTTP',
    { path: '^web/src/', pathNot: TEST },
    { path: '^(services/(?!contracts/)|bff/|deploy/|tests/)' },
  ],
  [
    'sandbox-stands-alone',
    'the stand-in for Stripe and the mail provider must not share our mistakes',
    { path: '^deploy/sandbox/src/', pathNot: TEST },
    { path: '^(services/|bff/|web/|tests/|deploy/(?!sandbox/))' },
  ],
  [
    'sandbox-takes-types-of-stripe',
    'its replies are held against the types of the package; the package itself is the other side',
    { path: '^deploy/sandbox/src/', pathNot: TEST },
    { path: npm('stripe', '@sendgrid'), dependencyTypesNot: ['type-only'] },
  ],
  [
    'local-imports-no-service',
    'the processes are started, not imported',
    { path: '^deploy/local/src/' },
    { path: '^(services/(?!contracts/|kit/)|bff/|web/|tests/|deploy/(?!local/))' },
  ],
];

const packagesInTheirPlace = [
  [
    'typeorm-in-its-place',
    'the database is spoken to in queries, entities, db, migrations and kit',
    {
      path: SERVER,
      pathNot: `^services/kit/|/(queries|db)[.]ts$|[.]entity[.]ts$|/migrations/|${TEST}`,
    },
    { path: npm('typeorm', 'mysql2') },
  ],
  [
    'brokers-in-kit',
    'Kafka, BullMQ and Redis clients are behind ports of kit',
    { path: SERVER, pathNot: `^services/kit/|${TEST}` },
    { path: npm('kafkajs', 'bullmq', 'ioredis') },
  ],
  [
    'stripe-in-its-edge',
    'behind this folder nobody knows the provider',
    { path: SERVER, pathNot: `^services/billing/src/stripe/|${TEST}` },
    { path: npm('stripe') },
  ],
];

const insideAService = [
  [
    'routes-by-app-alone',
    'app.ts is the list of all doors',
    { path: SERVER, pathNot: `/app[.]ts$|${TEST}` },
    { path: '/routes[.]ts$' },
  ],
  [
    'actions-know-no-endpoints',
    'queries and entities are below actions, actions below routes',
    { path: `${SERVER}.*/(queries|[^/]+[.]entity)[.]ts$` },
    { path: '/(routes|app|consumers|present)[.]ts$|/on-[^/]+[.]ts$' },
  ],
  [
    'rules-are-pure',
    'a decision needs no clock, network or table',
    { path: '[.]rules[.]ts$' },
    { pathNot: '^services/contracts/src/|[.]rules[.]ts$', dependencyTypesNot: ['type-only'] },
  ],
  ['nobody-imports-main', 'starting is not importing', {}, { path: '(^|/)main[.]tsx?$' }],
  ['source-never-imports-tests', 'what runs must not need what proves it', { pathNot: TEST }, { path: TEST }],
];

const insideWeb = [
  [
    'features-stand-alone',
    'what two features need goes to lib or ui',
    { path: '^web/src/features/([^/]+)/' },
    { path: '^web/src/(features/(?!$1/)|pages/|app/)' },
  ],
  [
    'pages-below-app',
    'pages are put together by app',
    { path: '^web/src/pages/' },
    { path: '^web/src/app/' },
  ],
  [
    'lib-and-ui-at-the-bottom',
    'they carry features, so they know none',
    { path: '^web/src/(lib|ui)/' },
    { path: '^web/src/(features|pages|app)/' },
  ],
];

const everywhere = [
  ['no-cycles', 'files that know each other are one file', {}, { circular: true }],
  ['no-unresolvable', 'a name that leads nowhere hides its direction', {}, { couldNotResolve: true }],
];

module.exports = {
  forbidden: [
    ...betweenWorkspaces,
    ...packagesInTheirPlace,
    ...insideAService,
    ...insideWeb,
    ...everywhere,
  ].map(([name, comment, from, to]) => ({ name, comment, severity: 'error', from, to })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.scss', '.css'],
    },
  },
};
