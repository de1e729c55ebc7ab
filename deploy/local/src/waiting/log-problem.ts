// A log holds JSON lines of pino or the text of another program. A message to the developer shows neither as it is: it
// quotes the one line that names the cause.

type LogLine = { level?: string; msg?: string; err?: { message?: string; code?: string } };

const PROBLEM_LEVELS = ['warn', 'error', 'fatal'];
const PROBLEM_TEXT = /error|fatal|cannot|could not|failed|exception|denied/i;
/** Indented lines of a stack or code excerpt, a line of each start of Kafka, and MariaDB's last line name no cause. */
const NOISE = /^\s|^SLF4J:|Aborting$/;
const MAX_LENGTH = 300;

const parseJson = (line: string): LogLine | null => {
  try {
    return line.startsWith('{') ? (JSON.parse(line) as LogLine) : null;
  } catch {
    return null;
  }
};

const textOf = ({ msg = '', err }: LogLine): string =>
  [msg, err?.message || err?.code].filter(Boolean).join(': ');

const problemIn = (line: string): string | null => {
  const json = parseJson(line);
  if (json) return PROBLEM_LEVELS.includes(json.level ?? '') ? textOf(json) : null;
  return PROBLEM_TEXT.test(line) && !NOISE.test(line) ? line : null;
};

const shorten = (text: string): string => {
  const plain = text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  return plain.length <= MAX_LENGTH ? plain : `${plain.slice(0, MAX_LENGTH)}…`;
};

const linesOf = (log: string): string[] => log.split('\n').filter((line) => line.trim() !== '');

/** Returns the last problem that a log reports, in one line of plain text; empty when it reports none. */
export const findLogProblem = (log: string): string =>
  shorten(
    linesOf(log)
      .map(problemIn)
      .findLast((problem) => problem !== null && problem !== '') ?? '',
  );

/** Returns the last problem that a log reports, otherwise its last line. */
export const lastLogMessage = (log: string): string => {
  const last = linesOf(log).at(-1) ?? 'it wrote no log';
  const json = parseJson(last);
  return findLogProblem(log) || shorten(json ? textOf(json) : last);
};
