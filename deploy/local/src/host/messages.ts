// What a developer reads: lines on the terminal, and the cause of a failure in one sentence.
import { readFileSync } from 'node:fs';

/** Writes one line of text for the developer who started this program. */
export type Print = (line: string) => void;

export const print: Print = (line) => void process.stdout.write(`${line}\n`);
export const printError: Print = (line) => void process.stderr.write(`${line}\n`);

/** An expected failure. Its message is one sentence that names the cause; it is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export const messageOf = (error: unknown): string => {
  // An AggregateError of `connect` (several addresses tried) has an empty message.
  const { message, code } = error as NodeJS.ErrnoException;
  return error instanceof Error ? message || (code ?? error.name) : String(error);
};

/** Returns the text of a log from this byte on; empty when there is none. */
export const readLog = (file: string, from = 0): string => {
  try {
    return readFileSync(file).subarray(from).toString();
  } catch {
    return '';
  }
};

type LogLine = { level?: string; msg?: string; err?: { message?: string; code?: string } };

const PROBLEM_LEVELS = ['warn', 'error', 'fatal'];
/** The operator program says why a command ended after its name. */
const PROBLEM_TEXT = /error|fatal|cannot|could not|failed|exception|denied|^shortlist [a-z-]+: /i;
/** Lines of Kafka, Maven and MariaDB below the level of a warning; they may mention an error where there is none. */
const INFORMATION = /^(\[[^\]]*\] (INFO|DEBUG|TRACE) |\[INFO\]|.{0,40}\[Note\])/;
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

/** Returns the problem in a line, which is JSON of pino or the text of another program; empty when it reports none. */
const problemIn = (line: string): string => {
  const json = parseJson(line);
  if (json) return PROBLEM_LEVELS.includes(json.level ?? '') ? textOf(json) : '';
  return PROBLEM_TEXT.test(line) && !INFORMATION.test(line) && !NOISE.test(line) ? line : '';
};

const shorten = (text: string): string => {
  const plain = text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  return plain.length <= MAX_LENGTH ? plain : `${plain.slice(0, MAX_LENGTH)}…`;
};

/** Returns the last problem that a log reports, in one line of plain text; empty when it reports none. */
export const findLogProblem = (log: string): string =>
  shorten(log.split('\n').map(problemIn).findLast(Boolean) ?? '');
