import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks for one line; on a terminal what is typed does not show. */
export const askSecretly = async (question: string): Promise<string> => {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY;
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
};
