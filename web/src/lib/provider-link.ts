/** The page of a customer in the payment provider's dashboard; undefined until the dashboard's address is loaded. */
export const customerPage = (provider: string | undefined, customerId: string): string | undefined =>
  provider && `${provider.replace(/\/+$/, '')}/customers/${encodeURIComponent(customerId)}`;
