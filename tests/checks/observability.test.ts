import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogue, readSeries } from '../../tools/observability/catalogue.ts';
import { problemsIn } from '../../tools/observability/promql.ts';
import { readRules, RULES_FILE } from './alert-rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const DASHBOARDS = join(ROOT, 'deploy/k8s/observability/dashboards');

type Target = { expr: string; legendFormat: string; datasource: { uid: string } };
type Panel = {
  id: number;
  title: string;
  description: string;
  type: string;
  fieldConfig: { defaults: { unit?: string } };
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
  targets: Target[];
};
type Dashboard = {
  uid: string;
  title: string;
  templating: { list: { name: string; type: string; query: string }[] };
  panels: Panel[];
};

const rules = readRules();
const series = await readSeries();
const dashboards = readdirSync(DASHBOARDS).map(
  (file) => [file, JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as Dashboard] as const,
);

describe('the metrics', () => {
  it('have names of the exposition format, with unit and total, declared once', async () => {
    const catalogue = await readCatalogue();
    expect(catalogue.length).toBeGreaterThan(30);
    const names = catalogue.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, type, help, labels, buckets } of catalogue) {
      expect(name).toMatch(/^[a-z][a-z0-9_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(buckets !== undefined, name).toBe(type === 'histogram');
      expect(help.length, name).toBeGreaterThan(15);
      expect(
        labels.filter((label) => /(^|_)(id|email|path|url|address)$/.test(label)),
        name,
      ).toEqual([]);
    }
  });
});

describe('the alerts', () => {
  it.each(rules)('$alert names metrics and labels that exist', ({ expr }) => {
    expect(problemsIn(expr, series)).toEqual([]);
  });

  it.each(rules)('$alert has a severity, a summary, a description and its runbook', (rule) => {
    expect(['critical', 'warning']).toContain(rule.labels['severity']);
    expect(rule.for).toMatch(/^\d+m$/);
    expect(rule.annotations['summary']?.length).toBeGreaterThan(20);
    expect(rule.annotations['description']?.length).toBeGreaterThan(20);
    expect(rule.annotations['runbook_url']).toBe(`docs/runbooks/${rule.alert}.md`);
  });

  it('are each expected to fire by the journey of alerts', () => {
    const journey = readFileSync(join(ROOT, 'tests/journeys/alerts.spec.ts'), 'utf8');
    const calls = [...journey.matchAll(/expectFired\(\s*prometheus,([^)]*)\)/g)].map(
      ([, names = '']) => names,
    );
    const fired = new Set(calls.flatMap((names) => names.match(/\w+/g) ?? []));
    expect(rules.map(({ alert }) => alert).filter((alert) => !fired.has(alert))).toEqual([]);
  });

  it('have a runbook each, and each runbook an alert', () => {
    const names = rules.map(({ alert }) => alert).toSorted();
    const pages = readdirSync(join(ROOT, 'docs/runbooks')).map((file) => basename(file, '.md'));
    expect(pages.filter((page) => page !== 'README').toSorted()).toEqual(names);
  });
});

describe('the runbooks', () => {
  it.each(rules.map(({ alert }) => alert))('%s has every section, and links to pages that exist', (alert) => {
    const page = readFileSync(join(ROOT, `docs/runbooks/${alert}.md`), 'utf8');
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(['Diagnosis', 'Fix', 'Resolved']);
    expect(page).toMatch(/^# \w+\n\n\S.+\n[\s\S]*\n\*\*Impact:\*\* \S/);
    for (const [, link = ''] of page.matchAll(/\]\(([^)#]+\.md)\)/g))
      expect(() => readFileSync(join(ROOT, 'docs/runbooks', link)), link).not.toThrow();
  });

  it.each(rules.map(({ alert }) => alert))('%s names metrics that exist', (alert) => {
    const page = readFileSync(join(ROOT, `docs/runbooks/${alert}.md`), 'utf8');
    const named = [
      ...page.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+(?:_total|_seconds|_count|_bucket|_rows|_up)\b/g),
    ];
    for (const [name] of named) expect(series.has(name) || series.has(`${name}_count`), name).toBe(true);
  });
});

describe.each(dashboards)('the dashboard %s', (file, dashboard) => {
  it('names metrics and labels that exist', () => {
    for (const { title, targets } of dashboard.panels)
      for (const { expr } of targets)
        expect(problemsIn(expr.replaceAll('$__rate_interval', '5m'), series), title).toEqual([]);
  });

  it('has a variable for its data source, which every panel uses', () => {
    expect(file).toBe(`${dashboard.uid}.json`);
    expect(dashboard.templating.list).toMatchObject([
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
    ]);
    for (const { targets } of dashboard.panels)
      for (const { datasource, legendFormat } of targets) {
        expect(datasource.uid).toBe('${datasource}');
        expect(legendFormat).not.toBe('');
      }
  });

  it('has panels with a title, a description and a unit, none over another', () => {
    const { panels } = dashboard;
    expect(panels.length).toBeGreaterThan(5);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
    for (const { title, description, fieldConfig } of panels) {
      expect(description, title).not.toBe('');
      expect(fieldConfig.defaults.unit, title).toBeDefined();
    }
  });
});

describe('the chart', () => {
  const chart = join(ROOT, 'deploy/k8s');
  const template = (name: string): string => readFileSync(join(chart, 'templates', name), 'utf8');

  it('has the alerts and the dashboards among its own files: a template can read no others', () => {
    const [, rules = ''] = /\.Files\.Get "([^"]+)"/.exec(template('prometheus-rule.yaml')) ?? [];
    expect(join(chart, rules)).toBe(RULES_FILE);
    const [, pattern = ''] = /\.Files\.Glob "([^"]+)"/.exec(template('dashboards.yaml')) ?? [];
    expect(globSync(pattern, { cwd: chart }).length).toBe(dashboards.length);
  });

  it('lets Prometheus find processes by the job that alerts and dashboards name', () => {
    expect(template('pod-monitor.yaml')).toContain('jobLabel: app.kubernetes.io/name');
    expect(template('_workload.tpl')).toContain('app.kubernetes.io/name: shortlist');
  });
});

describe('the names in an expression', () => {
  it.each([
    ['sum(rate(no_such_metric[5m]))', 'no metric no_such_metric'],
    ['sum(mails_unsent{template="welcome"})', 'mails_unsent has no template'],
    ['sum by (queue) (mails_unsent)', 'groups by queue'],
    ['vector(1)', 'names no metric'],
  ])('of %s are reported: %s', (expression, problem) => {
    expect(problemsIn(expression, series)).toEqual([problem]);
  });

  it('may be a part of a histogram, with the bound of its buckets', () => {
    const expression =
      'histogram_quantile(0.9, sum by (le, route) (rate(http_request_duration_seconds_bucket[5m])))';
    expect(problemsIn(expression, series)).toEqual([]);
    expect(problemsIn('sum(http_request_duration_seconds)', series)).not.toEqual([]);
  });
});
