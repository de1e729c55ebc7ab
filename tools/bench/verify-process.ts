// Follows the events of the databases and the broker that its arguments name, and prints how it went as JSON.
import { openReader } from '@shortlist/kit/data/reader';
import { eventsArrived } from '@shortlist/operator/verify/events';
import type { Sources } from '@shortlist/operator/verify/sources';
import { openBus } from '../../harness/broker.ts';
import { peakMegabytes } from './surroundings.ts';

const [outboxUrl = '', inboxUrl = '', brokers = ''] = process.argv.slice(2);
const bus = openBus(brokers);
const [billing, others] = await Promise.all([openReader(outboxUrl), openReader(inboxUrl)]);
const databases = { identity: others, profile: others, billing, credits: others, worker: others };
const startedAt = performance.now();
const breaches = await eventsArrived.find({ ...databases, bus, now: new Date() } as unknown as Sources);
const seconds = (performance.now() - startedAt) / 1000;
await Promise.all([billing.close(), others.close(), bus.close()]);
process.stdout.write(
  JSON.stringify({ breaches: breaches.length, seconds, megabytes: peakMegabytes(process.pid) }),
);
