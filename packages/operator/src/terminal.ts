import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Where the program reads and prints: standard input, output and error. */
export type Terminal = {
  print: (line: string) => void;
  printError: (line: string) => void;
  /** Whether a person can answer a question. */
  isInteractive: boolean;
  /** Whether the output goes to a screen, not to a pipe or a log. */
  isScreen: boolean;
  /** Returns whether the answer is yes. */
  confirm: (question: string) => Promise<boolean>;
  /** Reads one line; a terminal does not echo it. */
  readSecret: (prompt: string) => Promise<string>;
};

const confirm = async (question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
};

const readSecret = async (prompt: string): Promise<string> => {
  const terminal = process.stdin.isTTY;
  if (terminal) process.stderr.write(prompt);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discard, terminal });
  try {
    // Standard input may end without a line.
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(''), ended]);
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
};

export const openTerminal = (): Terminal => ({
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  isInteractive: process.stdin.isTTY,
  isScreen: process.stdout.isTTY,
  confirm,
  readSecret,
});
