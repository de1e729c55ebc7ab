// The directions of imports.
const SERVER = '^((services|packages)/[^/]+|bff)/src/';
const TEST = '(^|/)tests?/|^(harness|tools)/|[.](test|spec)[.]tsx?$|^(services|packages)/[^/]+/src/testing/';
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

// Each rule: its name, the reason, and which imports it forbids.
const betweenWorkspaces = [
  [
    'contracts-import-two-packages',
    'contracts run in the browser and in every process',
    { path: '^packages/contracts/src/', pathNot: TEST },
    { pathNot: `^packages/contracts/src/|${npm('joi', 'intl-messageformat')}` },
  ],
  [
    'kit-stands-below',
    'kit imports contracts and libraries, nothing that is built on it',
    { path: '^packages/kit/src/' },
    { path: '^(packages/(?!kit/|contracts/)|services/|bff/|web/|deploy/|harness/|tests/|tools/)' },
  ],
  [
    'kit-knows-no-product-word',
    'of contracts, kit imports generic parts only: durations, endpoints, errors, events, status, validation',
    { path: '^packages/kit/src/' },
    {
      path: '^packages/contracts/src/',
      pathNot:
        '^packages/contracts/src/(durations|errors|api/(endpoint|status)|events/define|schemas/validation)[.]ts$',
    },
  ],
  [
    'tests-and-tools-apart',
    'what both use is in harness; the tests of a tool are beside it',
    { path: '^(harness|tests|tools)/' },
    { path: '^(tests|tools)/', pathNot: '^$1/' },
  ],
  [
    'services-stand-alone',
    'services communicate by HTTP and events; none imports another service, bff, web, or the code that starts it',
    { path: '^services/([^/]+)/src/', pathNot: TEST },
    { path: '^(services/(?!$1/)|bff/|web/|deploy/|harness/|tests/|tools/)' },
  ],
  [
    'bff-calls-by-http',
    'bff imports contracts, kit and the operator program only',
    { path: '^bff/src/', pathNot: TEST },
    { path: '^(packages/(?!contracts/|kit/|operator/)|services/|web/|deploy/|harness/|tests/)' },
  ],
  [
    'web-knows-contracts-alone',
    'the browser reaches everything else by HTTP',
    { path: '^web/src/', pathNot: TEST },
    { path: '^(packages/(?!contracts/)|services/|bff/|deploy/|harness/|tests/)' },
  ],
  [
    'clients-stand-alone',
    'a client library is used outside of this repository: it imports nothing of the product, and no package',
    { path: '^clients/[^/]+/src/', pathNot: TEST },
    { path: '^(packages|services|bff|web|deploy|harness|tests|tools)/|(^|/)node_modules/' },
  ],
  [
    'clients-are-apart',
    'the product does not use its own client libraries; tests do',
    { path: '^(packages|services|bff|web|deploy)/', pathNot: TEST },
    { path: '^clients/' },
  ],
  [
    'sandbox-stands-alone',
    'the sandbox must not share mistakes with the code that it tests',
    { path: '^deploy/sandbox/src/', pathNot: TEST },
    { path: '^(packages/|services/|bff/|web/|harness/|tests/|deploy/(?!sandbox/))' },
  ],
  [
    'sandbox-takes-types-of-stripe',
    'its responses are compared with the types of the package; the package itself is its client',
    { path: '^deploy/sandbox/src/', pathNot: TEST },
    { path: npm('stripe', '@sendgrid'), dependencyTypesNot: ['type-only'] },
  ],
  [
    'local-imports-no-service',
    'processes are started, not imported',
    { path: '^deploy/local/src/' },
    { path: '^(packages/(?!contracts/|kit/)|services/|bff/|web/|harness/|tests/|deploy/(?!local/))' },
  ],
];

const packagesInTheirPlace = [
  [
    'typeorm-in-its-place',
    'queries, entities, db, migrations and kit access the database',
    {
      path: SERVER,
      pathNot: `^packages/kit/|[/-]queries[.]ts$|/(db|migrations)[.]ts$|[.]entity[.]ts$|/migrations/|${TEST}`,
    },
    { path: npm('typeorm', 'mysql2') },
  ],
  [
    'brokers-in-kit',
    'Kafka, BullMQ and Redis clients are used in kit only',
    { path: SERVER, pathNot: `^packages/kit/|${TEST}` },
    { path: npm('kafkajs', 'bullmq', 'ioredis') },
  ],
  [
    'opentelemetry-behind-its-setting',
    'its packages are loaded only while traces are exported',
    { path: SERVER, pathNot: `^packages/kit/src/process/span-(export|batches)[.]ts$|${TEST}` },
    { path: npm('@opentelemetry') },
  ],
  [
    'stripe-in-its-edge',
    'no other folder depends on the provider',
    { path: SERVER, pathNot: `^services/billing/src/stripe/|${TEST}` },
    { path: npm('stripe') },
  ],
];

const insideAService = [
  [
    'routes-by-app-alone',
    'app.ts is the list of all endpoints',
    { path: SERVER, pathNot: `/app[.]ts$|${TEST}` },
    { path: '/routes[.]ts$' },
  ],
  [
    'actions-know-no-endpoints',
    'queries and entities are below actions, actions below routes',
    { path: `${SERVER}.*([/-]queries|[.]entity)[.]ts$` },
    { path: '/(routes|app|consumers|present)[.]ts$|/on-[^/]+[.]ts$' },
  ],
  [
    'rules-are-pure',
    'a decision needs no clock, network or table',
    { path: '[.]rules[.]ts$' },
    {
      pathNot: '^(packages/contracts/src|web/src/messages)/|/messages[.]ts$|[.]rules[.]ts$',
      dependencyTypesNot: ['type-only'],
    },
  ],
  ['main-is-not-imported', 'main.ts starts a process', {}, { path: '(^|/)main[.]tsx?$' }],
  [
    'source-never-imports-tests',
    'production code must not need test code',
    { pathNot: TEST },
    { path: TEST },
  ],
];

const insideWeb = [
  [
    'features-stand-alone',
    'code that two features need belongs in lib or ui',
    { path: '^web/src/features/([^/]+)/' },
    { path: '^web/src/(features/(?!$1/)|pages/|app/)' },
  ],
  ['pages-below-app', 'app combines the pages', { path: '^web/src/pages/' }, { path: '^web/src/app/' }],
  [
    'lib-and-ui-at-the-bottom',
    'features are built on them',
    { path: '^web/src/(lib|ui)/' },
    { path: '^web/src/(features|pages|app)/' },
  ],
];

const everywhere = [
  ['no-cycles', 'files that import each other cannot be read apart', {}, { circular: true }],
  ['no-unresolvable', 'an import that does not resolve has no direction', {}, { couldNotResolve: true }],
];

/** At folder level: within a service, bff, web and kit, folders import each other in one direction only. */
const betweenFolders = [
  'packages/[^/]+/src',
  'services/[^/]+/src',
  'bff/src',
  'web/src',
  'deploy/[^/]+/src',
].map((root) => ({
  name: 'folders-point-down',
  comment: 'folders that import each other in a circle cannot be read one by one',
  severity: 'error',
  scope: 'folder',
  from: { path: `^${root}/` },
  to: { circular: true, viaOnly: { path: `^${root}/` } },
}));

module.exports = {
  forbidden: [...betweenWorkspaces, ...packagesInTheirPlace, ...insideAService, ...insideWeb, ...everywhere]
    .map(([name, comment, from, to]) => ({ name, comment, severity: 'error', from, to }))
    .concat(betweenFolders),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(web|clients/[^/]+)/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.scss', '.css'],
    },
  },
};
