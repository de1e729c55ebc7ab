/** An expected failure. Its message is one sentence that names the cause; it is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export const messageOf = (error: unknown): string => {
  // An AggregateError of `connect` (several addresses tried) has an empty message.
  const { message, code } = error as NodeJS.ErrnoException;
  return error instanceof Error ? message || (code ?? error.name) : String(error);
};
