import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { shortTime } from '../lib/dates.ts';

/** A list of what happened, the newest first. */
export const Trail = ({ children }: { children: ReactNode }): ReactNode => (
  <ol className="trail">{children}</ol>
);

type TrailEntryProps = { at: string; title: ReactNode; note: string; isWarning?: boolean };

export const TrailEntry = ({ at, title, note, isWarning = false }: TrailEntryProps): ReactNode => (
  <li>
    <time className="num" dateTime={at}>
      {shortTime(at)}
    </time>
    <div className="trail-text">
      <p className={isWarning ? 'trail-title is-warn' : 'trail-title'}>
        {isWarning && <TriangleAlert size={18} strokeWidth={1.75} aria-hidden="true" />}
        {title}
      </p>
      <p className="trail-note">{note}</p>
    </div>
  </li>
);
