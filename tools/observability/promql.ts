// What a PromQL expression names: series with the labels of their matchers, and the labels by which it groups. Its syntax is checked
// by promtool.

export type Named = { series: { name: string; labels: string[] }[]; grouping: string[] };

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const SELECTOR = /\b([a-zA-Z_:][\w:]*)\b\s*(\{[^}]*\})?(?!\s*\()/g;
const LABEL = /([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)\s*"/g;
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'inf', 'nan']);

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean);

/** Series and labels that an expression names. */
const namesIn = (expression: string): Named => {
  const grouping = [...expression.matchAll(GROUPING)].flatMap(([, labels = '']) => listOf(labels));
  // Durations such as [5m], and grouping clauses, name no series.
  const rest = expression.replace(GROUPING, ' ').replace(/\[[^\]]*\]/g, ' ');
  const series = [...rest.matchAll(SELECTOR)]
    .filter(([, name = '']) => !KEYWORDS.has(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(LABEL)].map(([, label = '']) => label),
    }));
  return { series, grouping };
};

/** What is wrong with the names in an expression, given the series that exist. */
export const problemsIn = (expression: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const { series, grouping } = namesIn(expression);
  const unknown = series.filter(({ name }) => !known.has(name)).map(({ name }) => `no metric ${name}`);
  const wrong = series.flatMap(({ name, labels }) =>
    labels.filter((label) => known.get(name)?.has(label) === false).map((label) => `${name} has no ${label}`),
  );
  const labels = new Set(series.flatMap(({ name }) => [...(known.get(name) ?? [])]));
  const ungrouped = grouping.filter((label) => !labels.has(label)).map((label) => `groups by ${label}`);
  return [...(series.length === 0 ? ['names no metric'] : []), ...unknown, ...wrong, ...ungrouped];
};
