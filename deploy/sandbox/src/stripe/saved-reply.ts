/** What was answered under an idempotency key. */
export interface SavedReply {
  fingerprint: string;
  status: number;
  text: string;
  requestId: string;
  createdAt: number;
}
