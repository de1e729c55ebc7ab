export const VALID_CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada <b>' };

export const submitForm = (url: string, fields: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

export const tokenIn = (page: string) => /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';
