type Branches = { total: number; covered: number };
export type BranchesByPackage = ReadonlyMap<string, Branches>;

/** How many points a package may lose before `make coverage` fails. */
const TOLERANCE = 0.5;

const packageOf = (path: string): string => /^((services|deploy)\/)?[^/]+/.exec(path)?.[0] ?? path;

/** Adds up the files of Vitest's summary, by their paths in the repository, to packages. */
export const addUp = (files: Record<string, { branches: Branches }>): BranchesByPackage => {
  const packages = new Map<string, Branches>();
  for (const [path, { branches }] of Object.entries(files)) {
    const { total, covered } = packages.get(packageOf(path)) ?? { total: 0, covered: 0 };
    packages.set(packageOf(path), {
      total: total + branches.total,
      covered: covered + branches.covered,
    });
  }
  return new Map([...packages].toSorted(([a], [b]) => a.localeCompare(b)));
};

const percent = ({ total, covered }: Branches): number => (total === 0 ? 100 : (100 * covered) / total);

/** Returns the covered branches of each package in percent, with one decimal. */
export const percentages = (coverage: BranchesByPackage): Record<string, number> =>
  Object.fromEntries(
    Array.from(coverage, ([name, branches]) => [name, Number(percent(branches).toFixed(1))]),
  );

export const renderCoverage = (coverage: BranchesByPackage, recorded: ReadonlyMap<string, number>): string =>
  [
    '| package | covered branches | % | recorded before, % |',
    '| --- | --- | --- | --- |',
    ...Array.from(
      coverage,
      ([name, branches]) =>
        `| ${name} | ${branches.covered} of ${branches.total} | ${percent(branches).toFixed(1)} | ${recorded.get(name)?.toFixed(1) ?? ''} |`,
    ),
  ].join('\n');

/** Returns a line for each package that has lost more than it may. */
export const lossOf = (coverage: BranchesByPackage, recorded: ReadonlyMap<string, number>): string[] =>
  [...coverage].flatMap(([name, branches]) => {
    const before = recorded.get(name) ?? 0;
    const now = percent(branches);
    return now < before - TOLERANCE ? [`${name}: ${now.toFixed(1)} % of branches, ${before} % recorded`] : [];
  });
