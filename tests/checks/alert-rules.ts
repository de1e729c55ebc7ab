import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const RULES_FILE = join(import.meta.dirname, '../../deploy/k8s/observability/alerts.yaml');

export type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
};

type RuleFile = { groups: { name: string; rules: Rule[] }[] };

export const readRules = (): Rule[] =>
  (parse(readFileSync(RULES_FILE, 'utf8')) as RuleFile).groups.flatMap(({ rules }) => rules);
