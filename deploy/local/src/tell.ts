/** Says one plain line to whoever started us. */
export type Tell = (line: string) => void;

export const tell: Tell = (line) => {
  process.stdout.write(`${line}\n`);
};

export const complain: Tell = (line) => {
  process.stderr.write(`${line}\n`);
};
