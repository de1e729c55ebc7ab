// Follows the events of the databases and the broker that its arguments name, and prints how it went as JSON.
import { openReader } from '@shortlist/kit/data/reader';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import { eventsArrived } from '@shortlist/operator/audit/events';
import type { Sources } from '@shortlist/operator/audit/sources';
import { peakMegabytes } from './surroundings.ts';

const [outboxUrl = '', inboxUrl = '', brokers = ''] = process.argv.slice(2);
const log = createLog('auditor', 'silent');
const bus = createKafka({
  clientId: 'auditor',
  log,
  settings: readKafkaSettings({ KAFKA_BROKERS: brokers }),
});
const [billing, others] = await Promise.all([openReader(outboxUrl), openReader(inboxUrl)]);
const databases = { identity: others, profile: others, billing, credits: others, worker: others };
const startedAt = performance.now();
const breaches = await eventsArrived.find({ ...databases, bus, now: new Date() } as unknown as Sources);
const seconds = (performance.now() - startedAt) / 1000;
await Promise.all([billing.close(), others.close(), bus.close()]);
process.stdout.write(
  JSON.stringify({ breaches: breaches.length, seconds, megabytes: peakMegabytes(process.pid) }),
);
