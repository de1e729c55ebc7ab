// Compares the lockfile with published advisories: `npm audit` where the registry has them, or a database of osv-scanner on this machine.
// Which registry that is, npm's own configuration says.
import { spawnSync } from 'node:child_process';
import { readNpm, readOsv, type Report } from './read-report.ts';

const LIMIT_MS = 60_000;
const EXIT = { none: 0, found: 1, notChecked: 3 } as const;

/** Both programs print their report and end with another code than 0 when they find something. */
const outputOf = (command: string, args: readonly string[]): string | null => {
  const { stdout, error } = spawnSync(command, args, { encoding: 'utf8', timeout: LIMIT_MS });
  return error === undefined ? stdout : null;
};

const askNpm = (): Report => {
  const output = outputOf('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000']);
  return output === null ? { source: 'npm audit', why: 'npm could not be run' } : readNpm(output);
};

const askOsv = (): Report => {
  const args = ['scan', 'source', '--lockfile', 'package-lock.json', '--offline', '--format', 'json'];
  const output = outputOf('osv-scanner', args);
  if (output === null) return { source: 'osv-scanner, offline', why: 'it is not installed' };
  return readOsv(output);
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const printFindings = (
  source: string,
  findings: Extract<Report, { findings: unknown }>['findings'],
): void => {
  for (const { name, severity, advisories } of findings)
    print(`${severity.padEnd(9)} ${name}: ${advisories.join('; ')}`);
  const count = findings.length === 1 ? '1 package has' : `${findings.length} packages have`;
  print(findings.length === 0 ? `no advisories (${source})` : `${count} advisories (${source})`);
};

const failures: string[] = [];
for (const ask of [askNpm, askOsv]) {
  const report = ask();
  if ('findings' in report) {
    printFindings(report.source, report.findings);
    process.exit(report.findings.length === 0 ? EXIT.none : EXIT.found);
  }
  failures.push(`${report.source}: ${report.why}`);
}
print(`not checked: ${failures.join('; ')}`);
process.exit(EXIT.notChecked);
