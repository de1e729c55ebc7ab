import { appendFileSync } from 'node:fs';

const { STRIPE_API_BASE, SETUP_CALLS } = process.env;
if (!STRIPE_API_BASE) throw new Error('no sandbox');
if (SETUP_CALLS) appendFileSync(SETUP_CALLS, `${process.argv.slice(2).join(' ')}\n`);
