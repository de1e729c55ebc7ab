/** Writes one line of text for the developer who started this program. */
export type Print = (line: string) => void;

export const print: Print = (line) => {
  process.stdout.write(`${line}\n`);
};

export const printError: Print = (line) => {
  process.stderr.write(`${line}\n`);
};
