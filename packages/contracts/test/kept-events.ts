// One stored event of each type and version, as an outbox has it. Outboxes, topics and dead letters have events of earlier releases, which the
// present one must read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudEvent } from '../src/events/define.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/events');

export const keptEvents: readonly CloudEvent<never>[] = readdirSync(FOLDER)
  .toSorted()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as CloudEvent<never>);
