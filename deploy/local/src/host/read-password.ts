import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Reads one line from standard input; a terminal does not echo it. */
export const readPassword = async (prompt: string): Promise<string> => {
  process.stderr.write(prompt);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY;
  const lines = createInterface({ input: process.stdin, output: discard, terminal });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
};
