/** The names of members whose value is never shown. */
const SECRET_NAME = /secret|token|password|passphrase|api_?key|authorization|cookie|signature/i;

/** Keys of Stripe and SendGrid, signing secrets, tokens in three parts, and what follows `Bearer`. */
const SECRET_TEXT =
  /\b(?:sk|rk|pk|whsec|sl)_[\w-]{8,}|\bSG\.[\w.-]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\bBearer\s+\S+/g;

export const MASKED = '(hidden)';

const maskValue = (name: string, value: unknown): unknown => {
  const isNumberOrFlag = typeof value === 'number' || typeof value === 'boolean' || value === null;
  if (isNumberOrFlag) return value;
  if (SECRET_NAME.test(name)) return MASKED;
  return typeof value === 'string' ? value.replace(SECRET_TEXT, MASKED) : value;
};

/** Returns a text, usually JSON, with what looks like a secret replaced. */
export const maskSecrets = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text, maskValue));
  } catch {
    return text.replace(SECRET_TEXT, MASKED);
  }
};
