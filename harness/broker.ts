import type { Bus } from '@shortlist/kit/messaging/bus';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';

/** Opens the broker at these addresses, beside the processes that use it. */
export const openBus = (kafkaBrokers: string): Bus =>
  createKafka({
    settings: readKafkaSettings({ KAFKA_BROKERS: kafkaBrokers }),
    clientId: 'harness',
    log: createLog('harness', 'silent'),
  });
