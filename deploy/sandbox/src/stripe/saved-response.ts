/** What was answered under an idempotency key. */
export type SavedReply = {
  fingerprint: string;
  status: number;
  text: string;
  requestId: string;
  createdAt: number;
};
