export type Attempt = {
  at: string;
  url: string;
  status?: number;
  error?: string;
};

export type Delivery = {
  event: string;
  /** The endpoint created through the API; null for the configured one. */
  endpoint?: string | null | undefined;
  status: 'pending' | 'delivered' | 'dropped' | 'given_up';
  attempts: Attempt[];
  tries: number;
  firstAt: number;
  nextAttemptAt: number | null;
};
