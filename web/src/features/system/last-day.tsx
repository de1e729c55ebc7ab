import type { RequestReport } from '@shortlist/contracts/api/status';
import type { ReactNode } from 'react';
import { shortTime } from '../../lib/dates.ts';
import { percent } from '../../lib/money.ts';
import { statusText } from '../../messages/system-status.ts';
import { type Stroke, STROKE_STATES, strokesOf, type StrokeState } from './last-day.rules.ts';

/** A duration as in 84 ms or 9.2 s. */
export const durationText = (milliseconds: number | null): string => {
  if (milliseconds === null) return statusText('none');
  if (milliseconds < 1_000) return statusText('milliseconds', { count: milliseconds });
  return statusText('inSeconds', { count: (milliseconds / 1_000).toFixed(1) });
};

export const errorShare = ({ requests, errors }: Pick<RequestReport, 'requests' | 'errors'>): string =>
  requests === 0 ? statusText('none') : percent(errors / requests, 1);

const strokeText = ({ start, counts }: Stroke): string => {
  const time = shortTime(start);
  if (counts === null) return statusText('strokeUnknown', { time });
  const { requests, errors, minutesDown, p95 } = counts;
  const text = statusText('strokeCounts', { time, requests, errors, p95: durationText(p95) });
  return minutesDown === 0 ? text : statusText('strokeDown', { counts: text, minutes: minutesDown });
};

/** How many half hours were not fine, in words, for those who do not see the strokes. */
const summaryOf = (strokes: readonly Stroke[]): string => {
  const parts = STROKE_STATES.filter((state) => state !== 'fine').flatMap((state) => {
    const count = strokes.filter((stroke) => stroke.state === state).length;
    return count === 0 ? [] : [statusText(`strokes_${state}`, { count })];
  });
  return statusText('lastDaySummary', {
    states: parts.length === 0 ? statusText('strokes_allFine') : parts.join(', '),
  });
};

const WIDTH = 6;
const HEIGHT = 20;
/** What is not fine differs in its height, not in its color alone. */
const HEIGHTS: Record<StrokeState, number> = { fine: HEIGHT, errors: HEIGHT / 2, down: 4, unknown: 2 };

type LastDayProps = { requests: RequestReport | null; checkedAt: string };

/** A stroke for each half hour of the last 24 hours. */
export const LastDay = ({ requests, checkedAt }: LastDayProps): ReactNode => {
  const strokes = strokesOf(requests, checkedAt);
  return (
    <svg
      className="pulse"
      viewBox={`0 0 ${strokes.length * WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid"
      role="img"
      aria-label={summaryOf(strokes)}
    >
      {strokes.map((stroke, index) => (
        <g key={stroke.start} className={`is-${stroke.state}`}>
          <title>{strokeText(stroke)}</title>
          <rect className="pulse-target" x={index * WIDTH} y={0} width={WIDTH} height={HEIGHT} />
          <rect
            x={index * WIDTH + 1.75}
            y={HEIGHT - HEIGHTS[stroke.state]}
            width={2.5}
            height={HEIGHTS[stroke.state]}
          />
        </g>
      ))}
    </svg>
  );
};
