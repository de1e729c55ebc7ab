/** A reason to stop that a person can act on: the message is one whole sentence, no stack is shown. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
