export type Attempt = {
  at: string;
  url: string;
  status?: number;
  error?: string;
};

export type Delivery = {
  event: string;
  status: 'pending' | 'delivered' | 'dropped' | 'given_up';
  attempts: Attempt[];
  tries: number;
  firstAt: number;
  nextAttemptAt: number | null;
};
