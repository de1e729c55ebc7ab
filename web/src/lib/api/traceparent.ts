const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** A W3C `traceparent` header with which a trace begins in the browser. The server decides whether it is recorded. */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-00`;
