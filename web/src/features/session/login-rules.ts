import { loginSchema } from '@shortlist/contracts/schemas/account';
import { messagesOf } from '../../lib/form/rules-of.ts';
import type { Rules } from '../../lib/form/use-form.ts';

export type LoginValues = { email: string; password: string };

export const loginRules: Rules<LoginValues> = (values) => messagesOf(loginSchema, values);
