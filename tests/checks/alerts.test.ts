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
  rule_files: [RULES_FILE],
  evaluation_interval: '30s',
  tests: [
    {
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(${QUIET})`,
          eval_time: at,
          exp_samples: [{ labels: '{}', value: state }],
        },
      ],
    },
  ],
});

const run = (test: ReturnType<typeof testOf>): string => {
  const file = join(directory, 'test.yaml');
  writeFileSync(file, stringify(test));
  return promtool('test', 'rules', file);
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
    expect(run(testOf(alertCase, alertCase.fires, FIRING))).toBe('');
    expect(run(testOf(alertCase, alertCase.quiet, QUIET))).toBe('');
  });
});
