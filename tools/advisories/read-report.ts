// What the programs that know advisories say, in one form.

/** A package of the lockfile that an advisory names. */
export type Finding = { name: string; severity: string; advisories: string[] };
/** `why` is the reason for which the source says nothing about the packages. */
export type Report = { source: string; findings: Finding[] } | { source: string; why: string };

const NO_REPORT = 'it printed no report';

const parse = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

type NpmFailure = { message?: string; error?: { summary?: string } };

/** An empty text counts as none. */
const reasonOf = ({ message, error }: NpmFailure): string => error?.summary || message || NO_REPORT;

type Vulnerability = { name: string; severity: string; via: (string | { url?: string; title?: string })[] };

const titlesOf = ({ via }: Vulnerability): string[] =>
  via.flatMap((cause) =>
    typeof cause === 'string' ? [] : [`${cause.title ?? ''} ${cause.url ?? ''}`.trim()],
  );

/** The output of `npm audit --json`. A registry that has no advisories, or is not reachable, returns a message instead. */
export const readNpm = (output: string): Report => {
  const source = 'npm audit';
  const { vulnerabilities, ...failure } = parse(output);
  if (vulnerabilities === undefined) return { source, why: reasonOf(failure) };
  // A package that only depends on a vulnerable one is listed too, without an advisory of its own.
  const findings = Object.values(vulnerabilities as Record<string, Vulnerability>)
    .map((entry) => ({ name: entry.name, severity: entry.severity, advisories: titlesOf(entry) }))
    .filter(({ advisories }) => advisories.length > 0);
  return { source, findings };
};

type OsvPackage = {
  package: { name: string; version: string };
  vulnerabilities: { id: string; summary?: string; database_specific?: { severity?: string } }[];
};

const findingOf = ({ package: { name, version }, vulnerabilities }: OsvPackage): Finding => ({
  name: `${name}@${version}`,
  severity: vulnerabilities[0]?.database_specific?.severity?.toLowerCase() ?? 'unknown',
  advisories: vulnerabilities.map(({ id, summary = '' }) => `${id} ${summary}`.trim()),
});

/** The output of `osv-scanner --format json`. */
export const readOsv = (output: string): Report => {
  const source = 'osv-scanner, offline';
  const { results } = parse(output);
  if (results === undefined) return { source, why: NO_REPORT };
  const packages = ((results ?? []) as { packages: OsvPackage[] }[]).flatMap((result) => result.packages);
  return { source, findings: packages.map(findingOf) };
};
