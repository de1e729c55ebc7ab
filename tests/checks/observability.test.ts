import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { days, inSeconds } from '@shortlist/contracts/durations';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readMetrics } from '../../harness/declared-metrics.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/k8s/observability');
const RULES = join(FOLDER, 'alerts.yaml');

type Rule = { alert: string; expr: string; annotations: Record<string, string> };
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

const read = (path: string): string => readFileSync(path, 'utf8');
const { groups } = parse(read(RULES)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const metrics = await readMetrics();

/** The series that Prometheus can have: declared metrics, those of Node.js and of the process, and `up`. */
const seriesOf = async (): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const common = ['service', 'job', 'instance', 'le'];
  const ofNode = [...(await createMetrics('any').text()).matchAll(/^# TYPE ((?:nodejs|process)_\w+)/gm)];
  const named = [
    ...[...ofNode.map(([, name = '']) => name), 'up'].map((name) => ({ name, labels: [] })),
    ...metrics,
  ];
  return new Map(
    named.flatMap(({ name, labels }) =>
      ['', '_bucket', '_sum', '_count'].map((end) => [name + end, new Set([...common, ...labels])] as const),
    ),
  );
};
const series = await seriesOf();

/** The metrics and labels of an expression that do not exist. promtool checks its syntax. */
const unknownIn = (expression: string): string[] => {
  const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
  const rest = expression.replace(grouping, ' ').replace(/\[[^\]]*\]/g, ' ');
  const selectors = [...rest.matchAll(/\b([a-zA-Z_]\w*)\b\s*(\{[^}]*\})?(?!\s*\()/g)].filter(
    ([, name = '']) => !['and', 'or', 'unless', 'bool', 'offset'].includes(name),
  );
  const labels = new Set(selectors.flatMap(([, name = '']) => [...(series.get(name) ?? [])]));
  const grouped = [...expression.matchAll(grouping)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []);
  return [
    ...(selectors.length === 0 ? ['no metric'] : []),
    ...selectors.flatMap(([, name = '', matchers = '']) => {
      const known = series.get(name);
      const used = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label);
      return known === undefined ? [name] : used.filter((label) => !known.has(label));
    }),
    ...grouped.filter((label) => !labels.has(label)),
  ];
};

it('no metric has a label with personal data or without limits', () => {
  expect(metrics.length).toBeGreaterThan(30);
  const labels = metrics.flatMap((metric) => metric.labels);
  expect(labels.filter((label) => /(^|_)(id|email|path|url|address)$/.test(label))).toEqual([]);
});

it('Prometheus accepts the alerts', () => {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], {
    encoding: 'utf8',
  });
  if (error) throw new Error('promtool is missing on this machine: install the package prometheus');
  expect(status, `${stdout}${stderr}`).toBe(0);
});

/** Runs tests of the alerts on series of a value each minute. */
const testRules = (test: object): { isPassed: boolean; output: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  const file = join(folder, 'test.yaml');
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [{ interval: '1m', ...test }],
    }),
  );
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { isPassed: status === 0, output: `${stdout}${stderr}` };
};

/** Fails unless exactly `firing` fire after five minutes. */
const testDeadLetters = (
  values: Readonly<Record<string, string>>,
  firing: readonly { alert: string; labels: string }[],
) =>
  testRules({
    input_series: Object.entries(values).map(([name, each]) => ({ series: name, values: each })),
    promql_expr_test: ['DeadLetters', 'UnreadableBatches'].map((alert) => ({
      expr: `count by (alertname, consumer, severity) (ALERTS{alertname="${alert}", alertstate="firing"})`,
      eval_time: '5m',
      exp_samples: firing
        .filter((expected) => expected.alert === alert)
        .map(({ labels }) => ({ labels: `{alertname="${alert}", ${labels}}`, value: 1 })),
    })),
  });

it('an unreadable batch fires its own alert, and no dead letter that can be replayed', () => {
  const values = (unreadable: string, dead: string) => ({
    'unreadable_batches_unresolved{consumer="credits", instance="a"}': unreadable,
    'unreadable_batches_unresolved{consumer="worker", instance="b"}': '0x10',
    'dead_letters_unresolved{consumer="credits", instance="a"}': dead,
  });
  const unreadable = { alert: 'UnreadableBatches', labels: 'consumer="credits", severity="critical"' };
  const dead = { alert: 'DeadLetters', labels: 'consumer="credits", severity="warning"' };
  const passed = { isPassed: true };
  expect(testDeadLetters(values('0 1x10', '0x10'), [unreadable])).toMatchObject(passed);
  expect(testDeadLetters(values('0x10', '0 2x10'), [dead])).toMatchObject(passed);
  expect(testDeadLetters(values('0 1 0x10', '0x10'), [])).toMatchObject(passed); // settled
  expect(testDeadLetters(values('0 1x10', '0x10'), [])).toMatchObject({ isPassed: false });
});

/** Series of an hour, a value each minute, that grow by so much in it. */
const growing = (perHour: Record<string, number>) =>
  Object.entries(perHour).map(([name, growth]) => ({ series: name, values: `0+${growth / 60}x120` }));

it.each([
  ['a tenth of many', { delivered: 900, bounced: 60, dropped: 40, complained: 0 }, true],
  ['complaints alone', { delivered: 900, bounced: 0, dropped: 0, complained: 90 }, true],
  ['a fiftieth of many', { delivered: 980, bounced: 20, dropped: 0, complained: 0 }, false],
  ['most of a few', { delivered: 3, bounced: 6, dropped: 0, complained: 0 }, false],
  ['none, and those that were put off', { delivered: 900, deferred: 500, blocked: 300 }, false],
])('MailsBounced fires for %s: %s, %s', (_name, counts, fires) => {
  const perHour = Object.fromEntries(
    Object.entries(counts).map(([outcome, count]) => [
      `mail_deliveries_total{outcome="${outcome}",instance="worker"}`,
      count,
    ]),
  );
  const { isPassed, output } = testRules({
    input_series: growing(perHour),
    alert_rule_test: [{ eval_time: '100m', alertname: 'MailsBounced', exp_alerts: [] }],
  });
  // Expected is nothing, so promtool prints what fires.
  expect([isPassed, output.includes('Labels:{alertname="MailsBounced"')], output).toEqual([!fires, fires]);
});

it.each([
  ['a day', 25, false, false],
  ['a day and three hours', 27, true, false],
  ['more than two days', 51, true, true],
])(
  'backups that are %s old (%i hours) fire BackupMissing: %s, BackupUnverified: %s',
  (_name, age, isMissing, isUnverified) => {
    // The clock of promtool begins at 0.
    const series = ['backup_timestamp_seconds', 'backup_verified_timestamp_seconds'];
    const firing = [isMissing && 'BackupMissing', isUnverified && 'BackupUnverified'].filter(Boolean);
    const { isPassed, output } = testRules({
      input_series: series.map((name) => ({ series: `${name}{instance="worker"}`, values: `0x${age * 60}` })),
      promql_expr_test: ['BackupMissing', 'BackupUnverified'].map((alert) => ({
        expr: `count by (alertname) (ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: `${age}h`,
        exp_samples: firing.includes(alert) ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
      })),
    });
    expect(isPassed, output).toBe(true);
  },
);

it.each<[string, number | null, number, string[]]>([
  ['a day ago', 25, 0, []],
  ['27 hours ago', 27, 0, ['RecordsUnverified']],
  ['a day ago with breaches', 25, 2, ['RecordsBreached']],
  ['never', null, 0, []],
])('records that were verified %s (%j hours, %i breaches) fire %j', (_name, age, breaches, firing) => {
  // The clock of promtool begins at 0. A process reports 0 before the first run.
  const hour = 30;
  const endedAt = age === null ? 0 : (hour - age) * 3_600;
  const { isPassed, output } = testRules({
    input_series: [
      { series: 'verify_timestamp_seconds{instance="worker"}', values: `${endedAt}x${hour * 60}` },
      { series: 'verify_breaches{instance="worker"}', values: `${breaches}x${hour * 60}` },
    ],
    promql_expr_test: ['RecordsBreached', 'RecordsUnverified'].map((alert) => ({
      expr: `count by (alertname) (ALERTS{alertname="${alert}", alertstate="firing"})`,
      eval_time: `${hour}h`,
      exp_samples: firing.includes(alert) ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
    })),
  });
  expect(isPassed, output).toBe(true);
});

it.each([
  ['in four weeks', 28, []],
  ['in two weeks', 14, ['SecretExpiring']],
  ['in two days', 2, ['SecretExpiring', 'SecretAlmostExpired']],
  ['since yesterday', -1, ['SecretExpiring', 'SecretAlmostExpired']],
])('a certificate that ends %s fires %j', (_name, inDays, firing) => {
  // The clock of promtool begins at 0, and the alerts have fired after a day.
  const end = inSeconds(days(1 + inDays));
  const labels = 'service="bff", secret="private_authority"';
  const { isPassed, output } = testRules({
    input_series: [
      { series: `secret_expires_timestamp_seconds{${labels}, instance="a"}`, values: `${end}x1440` },
      {
        series: `secret_expires_timestamp_seconds{${labels}, instance="b"}`,
        values: `${end + inSeconds(days(100))}x1440`,
      },
    ],
    promql_expr_test: ['SecretExpiring', 'SecretAlmostExpired'].map((alert) => ({
      expr: `count by (alertname) (ALERTS{alertname="${alert}", alertstate="firing"})`,
      eval_time: '24h',
      exp_samples: firing.includes(alert) ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
    })),
  });
  expect(isPassed, output).toBe(true);
});

it('what an expression names is found', () => {
  expect(unknownIn('sum(rate(no_such_metric[5m]))')).toEqual(['no_such_metric']);
  expect(unknownIn('sum by (queue) (mails_unsent{template="welcome"})')).toEqual(['template', 'queue']);
});

it.each(rules)(
  '$alert names metrics and labels that exist, and its runbook',
  ({ alert, expr, annotations }) => {
    expect(unknownIn(expr)).toEqual([]);
    expect(annotations['runbook_url']).toBe(`docs/runbooks/${alert}.md`);
    const page = read(join(ROOT, `docs/runbooks/${alert}.md`));
    expect(page).toContain('**Impact:**');
    const named = page.match(/\b[a-z]+(?:_[a-z0-9]+)+_(?:total|seconds|count|bucket|rows|up)\b/g) ?? [];
    expect(named.filter((name) => !series.has(name))).toEqual([]);
  },
);

it('the journey of alerts expects each to fire', () => {
  const journey = read(join(ROOT, 'tests/journeys/alerts.spec.ts'));
  const fired = [...journey.matchAll(/expectFired\(\s*prometheus,([^)]*)\)/g)]
    .flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
    .toSorted();
  expect([...new Set(fired)]).toEqual(expect.arrayContaining(rules.map(({ alert }) => alert)));
  const pages = readdirSync(join(ROOT, 'docs/runbooks')).map((file) => basename(file, '.md'));
  expect(pages.toSorted()).toEqual([...rules.map(({ alert }) => alert), 'README'].toSorted());
});

it.each(globSync('dashboards/*.json', { cwd: FOLDER }))('%s names metrics and labels that exist', (file) => {
  const { panels } = JSON.parse(read(join(FOLDER, file))) as Dashboard;
  for (const { title, targets } of panels)
    for (const { expr } of targets)
      expect(unknownIn(expr.replaceAll('$__rate_interval', '5m')), title).toEqual([]);
});
