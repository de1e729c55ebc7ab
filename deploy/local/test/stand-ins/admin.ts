import { appendFileSync } from 'node:fs';

const { ADMIN_EMAIL, ADMIN_PASSWORD, ADMIN_CALLS } = process.env;
if (!ADMIN_PASSWORD) throw new Error('no password');
if (ADMIN_CALLS) appendFileSync(ADMIN_CALLS, `${ADMIN_EMAIL}\n`);
