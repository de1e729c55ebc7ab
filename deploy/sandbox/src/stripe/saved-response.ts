/** The response saved under an idempotency key. */
export type SavedResponse = {
  fingerprint: string;
  status: number;
  text: string;
  requestId: string;
  createdAt: number;
};
