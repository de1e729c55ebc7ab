import { describe, expect, it, vi } from 'vitest';
import { defineCounter, defineGauge } from '../src/process/declared-metrics.ts';
import { createMetrics } from '../src/process/metrics.ts';

const depth = defineGauge('notes_waiting', { help: 'Notes that wait' });
const byKind = defineGauge('notes_by_kind', { help: 'Notes, by kind', labels: ['kind'] });
const written = defineCounter('notes_total', { help: 'Notes written', labels: ['kind'] });

const linesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`));

describe('the metrics', () => {
  it('name the service and the version of the process', async () => {
    const text = await createMetrics('notes', '1.2.3').text();
    expect(linesOf(text, 'app_info')).toEqual(['app_info{version="1.2.3",service="notes"} 1']);
  });

  it('read a gauge only when they are scraped', async () => {
    const metrics = createMetrics('notes');
    let reads = 0;
    metrics.gauge(depth, () => Promise.resolve((reads += 1)));
    expect(reads).toBe(0);
    expect(linesOf(await metrics.text(), 'notes_waiting')).toEqual(['notes_waiting{service="notes"} 1']);
    expect(linesOf(await metrics.text(), 'notes_waiting')).toEqual(['notes_waiting{service="notes"} 2']);
  });

  it('merge the values that parts of the process add to one gauge', async () => {
    const metrics = createMetrics('notes');
    metrics.gaugeBy(byKind, () => Promise.resolve([[{ kind: 'short' }, 1]] as const));
    metrics.gaugeBy(byKind, () => Promise.resolve([[{ kind: 'long' }, 2]] as const));
    expect(linesOf(await metrics.text(), 'notes_by_kind')).toEqual([
      'notes_by_kind{kind="short",service="notes"} 1',
      'notes_by_kind{kind="long",service="notes"} 2',
    ]);
  });

  it('lack only the values of a source that fails or hangs', async () => {
    const metrics = createMetrics('notes');
    metrics.gauge(depth, () => new Promise(() => undefined));
    metrics.gaugeBy(byKind, () => Promise.reject(new Error('gone')));
    metrics.gaugeBy(byKind, () => Promise.resolve([[{ kind: 'long' }, 2]] as const));
    metrics.counter(written).inc({ kind: 'long' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reading = metrics.text();
    await vi.advanceTimersByTimeAsync(3_000);
    vi.useRealTimers();
    const text = await reading;
    expect(linesOf(text, 'notes_waiting')).toEqual(['notes_waiting{service="notes"} Nan']);
    expect(linesOf(text, 'notes_by_kind')).toEqual(['notes_by_kind{kind="long",service="notes"} 2']);
    expect(linesOf(text, 'notes_total')).toEqual(['notes_total{kind="long",service="notes"} 1']);
  });
});
