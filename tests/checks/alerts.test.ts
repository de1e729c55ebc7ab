import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ALERT_CASES, type AlertCase } from './alert-cases.ts';
import { readRules, RULES_FILE } from './alert-rules.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'shortlist-alerts-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const promtool = (...args: string[]): string => {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  if (error) throw new Error('promtool is missing on this machine: install the package prometheus');
  return status === 0 ? '' : `${stdout}${stderr}`;
};

const QUIET = 0;
const FIRING = 1;

/** A test of promtool: whether the alert fires with these series. */
const testOf = ({ alert, at = '30m' }: AlertCase, series: AlertCase['fires'], state: number) => ({
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(${QUIET})`,
      eval_time: at,
      exp_samples: [{ labels: '{}', value: state }],
    },
  ],
});

const write = (name: string, content: unknown): string => {
  const file = join(directory, name);
  writeFileSync(file, stringify(content));
  return file;
};

/** Returns the output of promtool if the alert does not fire, or fires just below. Only its rule is evaluated. */
const failureOf = (alertCase: AlertCase): string => {
  const rules = readRules().filter(({ alert }) => alert === alertCase.alert);
  const test = {
    rule_files: [write('rules.yaml', { groups: [{ name: 'one', rules }] })],
    evaluation_interval: '30s',
    tests: [testOf(alertCase, alertCase.fires, FIRING), testOf(alertCase, alertCase.quiet, QUIET)],
  };
  return promtool('test', 'rules', write('test.yaml', test));
};

describe('the alerts', () => {
  it('are rules that Prometheus accepts', () => {
    expect(promtool('check', 'rules', RULES_FILE)).toBe('');
  });

  it('are loaded by the configuration of compose, which Prometheus accepts', () => {
    copyFileSync(RULES_FILE, join(directory, 'alerts.yaml'));
    const config = join(directory, 'prometheus.yml');
    copyFileSync(join(import.meta.dirname, '../../deploy/observability/prometheus.yml'), config);
    expect(promtool('check', 'config', config)).toBe('');
  });

  it('have a case each', () => {
    const names = readRules().map(({ alert }) => alert);
    expect([...new Set(ALERT_CASES.map(({ alert }) => alert))].toSorted()).toEqual(names.toSorted());
  });

  it.each(ALERT_CASES)('$alert fires by its cause, and not just below', (alertCase) => {
    expect(failureOf(alertCase)).toBe('');
  });
});
